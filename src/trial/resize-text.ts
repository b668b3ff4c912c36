// A resize report as text for a person: the verdict first, then what the cluster would say, then what would happen.
import { joinWords, quote } from '../rules/message.ts';
import type { ReportedOutcome, ResizeReport } from './resize-report.ts';

type Value = ReportedOutcome['values'][number];

/** Lines without a sum in them; an explanation follows them. */
export function toResizeText(report: ResizeReport): string {
  const { outcome, denials, warnings, notes } = report;
  const lines = [headline(report), ...denials.map((line) => `  ${line}`)];
  for (const warning of warnings) lines.push(`  warning: ${warning}`);
  for (const note of notes) lines.push(`  note: ${note}`);
  if (outcome !== undefined) lines.push(...outcomeLines(outcome, report));
  if (report.passing !== null) lines.push('', ...passingLines(report));
  if (report.passingReason !== null) lines.push('', `No other values are known to pass: ${report.passingReason}`);
  return `${lines.join('\n')}\n`;
}

function headline({ allowed, pod, kubernetes, outcome }: ResizeReport): string {
  const verdict = allowed ? (outcome && isShaped(outcome) ? 'allowed, with other values' : 'allowed') : 'refused';
  const where = pod.node === null ? '' : ` on node ${quote(pod.node)}`;
  return `${verdict}: resize of pod ${pod.namespace}/${pod.name}${where}, Kubernetes ${kubernetes}`;
}

function isShaped({ values }: ReportedOutcome): boolean {
  return values.some(({ asked, given }) => asked !== given);
}

function outcomeLines(outcome: ReportedOutcome, { allowed, denials, warnings }: ResizeReport): readonly string[] {
  if (outcome.values.length === 0) return ['', 'changes   nothing'];
  const said = [...denials, ...warnings];
  const reasons = outcome.fits.reasons.filter((reason) => !said.some((line) => line.endsWith(reason)));
  return [
    '',
    ...labelled('changes', outcome.values.map(changeText)),
    ...labelled(allowed ? 'restarts' : 'would restart', [restartText(outcome)]),
    ...labelled('fits', [fitText(outcome), ...reasons]),
  ];
}

function labelled(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${(index === 0 ? label : '').padEnd(14)}${line}`);
}

function changeText(value: Value): string {
  const { container, path, stored, asked, given } = value;
  const field = path.slice(path.indexOf('resources.') + 'resources.'.length);
  const who = container === null ? 'pod' : `${KIND[value.kind]} ${quote(container)}`;
  const shaped = asked === given ? '' : `, given ${given ?? 'none'}`;
  return `${who} ${field}: ${stored ?? 'none'} -> ${asked ?? 'none'}${shaped}`;
}

const KIND = { main: 'container', sidecar: 'sidecar', init: 'init container', pod: 'pod' } as const;

function restartText({ restarts, restartsOnceRunning }: ReportedOutcome): string {
  if (restartsOnceRunning !== null)
    return `nothing, since the pod is on no node yet; once it runs: ${listText(restartsOnceRunning)}`;
  return listText(restarts);
}

function listText(restarts: ReportedOutcome['restarts']): string {
  if (restarts.length === 0) return 'nothing';
  return joinWords(restarts.map(({ container, resources }) => `${quote(container)} (${joinWords(resources)})`));
}

function fitText({ fits: { state, node } }: ReportedOutcome): string {
  const named = `node ${quote(node ?? '')}`;
  switch (state) {
    case 'now':
      return `${named} now`;
    case 'later':
      return `${named} only later: it waits until other pods make room`;
    case 'never':
      return `${named} never`;
    case 'unknown':
      return `unknown: nothing is known of ${named}; --cluster takes a file with it`;
    case 'unscheduled':
      return 'no node yet: the pod has no spec.nodeName, so nobody knows whether it fits';
  }
}

function passingLines({ pod, passing, passingIsShared }: ResizeReport): readonly string[] {
  const patch = JSON.stringify(passing).replaceAll("'", String.raw`'\''`);
  return [
    passingIsShared ? 'This would pass, with what is left shared out in proportion:' : 'This would pass:',
    `  kubectl patch pod ${pod.name} -n ${pod.namespace} --subresource resize --patch '${patch}'`,
  ];
}
