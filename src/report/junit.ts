// The report as JUnit XML: a suite for each file, a test case for each pod in it.
import {
  type Report,
  type ReportedFile,
  type ReportedFinding,
  type ReportedMistake,
  type ReportedPod,
  toPrintableLines,
  toSubject,
} from './report.ts';

export function createJunitReport(): Report {
  return {
    begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="podrail">\n',
    add: (file) => (file.pods.length + file.mistakes.length === 0 ? '' : toSuite(file)),
    end: () => '</testsuites>\n',
  };
}

function toSuite({ file, pods, mistakes }: ReportedFile): string {
  const counts = {
    name: file,
    tests: pods.length + mistakes.length,
    failures: pods.filter((pod) => errorsOf(pod).length > 0).length,
    errors: mistakes.length,
  };
  const cases = [...mistakes.map(toMistakeCase), ...pods.map((pod) => toPodCase(file, pod))];
  return `  ${tag('testsuite', counts)}\n${cases.join('')}  </testsuite>\n`;
}

function toPodCase(file: string, pod: ReportedPod): string {
  const errors = errorsOf(pod);
  const others = pod.findings.filter(({ level }) => level !== 'error');
  const parts = [
    ...(errors.length === 0 ? [] : [toFailure(file, errors)]),
    ...(others.length === 0
      ? []
      : [`<system-out>${escape(others.map((one) => toLine(file, one)).join('\n'))}</system-out>`]),
  ];
  const open = { classname: file, name: toSubject(pod), file };
  if (parts.length === 0) return `    ${tag('testcase', open, true)}\n`;
  return `    ${tag('testcase', open)}\n${parts.map((part) => `      ${part}\n`).join('')}    </testcase>\n`;
}

// A test case has one failure: readers differ in what they make of a second.
function toFailure(file: string, errors: readonly ReportedFinding[]): string {
  const [first] = errors;
  const attributes = { type: first?.rule ?? '', message: first?.message ?? '' };
  return `${tag('failure', attributes)}${escape(errors.map((error) => toLine(file, error)).join('\n'))}</failure>`;
}

/** A test case that could not be one. */
export function toMistakeCase({ file, line, column, message }: ReportedMistake): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`;
  const error = `${tag('error', { type: 'unreadable', message })}${escape(`${place} ${message}`)}</error>`;
  return `    ${tag('testcase', { classname: file, name: place, file })}\n      ${error}\n    </testcase>\n`;
}

function errorsOf({ findings }: ReportedPod): readonly ReportedFinding[] {
  return findings.filter(({ level }) => level === 'error');
}

function toLine(file: string, { line, column, level, rule, message }: ReportedFinding): string {
  return `${file}:${line}:${column} ${level} [${rule}] ${message}`;
}

/** An opening tag, or an empty element; line breaks in attributes are kept. */
export function tag(name: string, attributes: Readonly<Record<string, string | number>>, isEmpty = false): string {
  const shown = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escape(String(value)).replaceAll('\n', '&#10;')}"`,
  );
  return `<${name}${shown.join('')}${isEmpty ? '/' : ''}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

// XML 1.0 has no way to write most control characters, half of a pair, and two that are none.
export function escape(text: string): string {
  return toPrintableLines(text.toWellFormed())
    .replaceAll(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
