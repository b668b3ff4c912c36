// What holds for every committed file whatever is in it: links lead somewhere, and nothing tells of the machine it
// was written on.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';

const root = dirname(import.meta.dirname);

/** Put together from pieces, so that this file does not hold what it looks for. */
const TRACES: readonly RegExp[] = [
  ...['work', 'root', 'Users'].map((folder) => new RegExp(`(?<![\\w.~-])/${folder}/\\w`)),
  new RegExp(`(?<![\\w.~-])/${'home'}/\\w`),
  new RegExp(`/${'tmp'}/${'bash'}_jobs`),
  new RegExp(`\\.${'library'}\\b`),
  new RegExp(`\\bfarm-${'(bench|studio)'}`),
];

/** What git has or would add; where there is no git (an unpacked archive), every file that is not installed or built. */
function committedFiles(): readonly string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  } catch {
    const own = (name: string): boolean => !['node_modules', 'dist', 'coverage', '.git'].includes(name);
    const found = globSync('**/*', { cwd: root, exclude: (name) => !own(name.split('/').at(-1) ?? name) });
    return found.filter((file) => statSync(join(root, file)).isFile());
  }
}

/** `file:line: text` for each line that holds a trace of a machine. */
function tracesIn(file: string, text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      TRACES.some((trace) => trace.test(line)) ? [`${file}:${index + 1}: ${line.trim().slice(0, 160)}`] : [],
    );
}

/** The relative links of a Markdown text that lead to no file or to no heading. */
function brokenLinksIn(file: string, text: string): readonly string[] {
  const prose = text.replace(/```[^]*?```/g, '').replace(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)|^\[[^\]]+\]:\s*(\S+)/gm)];
  return links
    .map((link) => link[1] ?? link[2] ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => !leadsSomewhere(file, link))
    .map((link) => `${file}: ${link} leads nowhere`);
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, file) : join(root, dirname(file), decodeURIComponent(path));
  if (relative(root, target).startsWith('..') || !existsSync(target)) return false;
  return anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).has(anchor);
}

/** As GitHub names headings: lower case, punctuation gone, spaces to hyphens. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+\s+(.*)$/gm)].map((heading) => heading[1] ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}

describe('the documents', () => {
  const files = committedFiles();
  const texts = files.map((file) => [file, readFileSync(join(root, file), 'latin1')] as const);

  test('have no link that leads nowhere', () => {
    const documents = files.filter((file) => file.endsWith('.md'));
    assert.ok(documents.length > 0);
    assert.deepEqual(
      documents.flatMap((file) => brokenLinksIn(file, readFileSync(join(root, file), 'utf8'))),
      [],
    );
  });

  test('hold no trace of the machine they were written on', () => {
    assert.deepEqual(
      texts.filter(([, text]) => !text.includes('\0')).flatMap(([file, text]) => tracesIn(file, text)),
      [],
    );
  });

  test('lock packages by version and integrity, not by address', () => {
    const locks = texts.filter(([file]) => file.endsWith('package-lock.json'));
    assert.deepEqual(
      locks.map(([file]) => file),
      ['package-lock.json', 'tools/node/package-lock.json'],
    );
    assert.deepEqual(
      locks.filter(([, text]) => text.includes('"resolved"')).map(([file]) => `${file}: has addresses; see .npmrc`),
      [],
    );
  });
});

describe('the check of the documents', () => {
  test('finds the paths of a machine', () => {
    const paths = ['work/main/a', 'root/x', 'home/lee', 'tmp/bash_jobs.0'].map((path) => `see /${path}`);
    assert.deepEqual(
      paths.filter((line) => tracesIn('a.md', line).length === 0),
      [],
    );
    assert.deepEqual(tracesIn('a.md', `ok\nthe .${'library'} is here`), [`a.md:2: the .${'library'} is here`]);
  });

  test('lets pass paths that are no one machine’s', () => {
    assert.deepEqual(tracesIn('a.md', `docs${'/work'}/a /tmp/x ~${'/root'}/a https://x.org/homework/`), []);
  });

  test('finds links to files and headings that are not there', () => {
    const text =
      '# One thing\n[a](missing.md) [b](#one-thing) [c](#other) [d](https://x.org) `[e](f.md)`\n[g]: ../../h.md';
    assert.deepEqual(brokenLinksIn('CHANGELOG.md', text), [
      'CHANGELOG.md: missing.md leads nowhere',
      'CHANGELOG.md: #one-thing leads nowhere',
      'CHANGELOG.md: #other leads nowhere',
      'CHANGELOG.md: ../../h.md leads nowhere',
    ]);
  });
});
