// An explanation as one would write it on paper: a term a line, with its sign, and the sums under them.
import { compare, type Quantity, UNIT } from '../model/quantity.ts';
import type { Start, SumTerms, Term } from '../model/sum-terms.ts';
import { podName, type Pod } from '../model/pod.ts';
import { quote, subjectOf, word } from '../rules/message.ts';
import { amountText, type Sign, type SumRow } from '../rules/sum.ts';
import type { Explanation, RuleSum } from './explanation.ts';
import type { NodeSum } from './node-sums.ts';
import type { Earlier, PodSum } from './pod-sums.ts';

/** One sum with a title; `rows` in the order in which they are added up. */
export interface Sheet {
  readonly title: string;
  readonly rows: readonly SumRow[];
  readonly conclusion: string | undefined;
}

export function toSheets(explanation: Explanation, pod: Pod): readonly Sheet[] {
  const { pod: ofPod, node, rules } = explanation;
  return [...ofPod.map((sum) => toPodSheet(sum, pod)), ...node.map(toNodeSheet), ...rules.map(toRuleSheet)];
}

/** The sheets as text, each column as wide as it has to be. */
export function toSheetText(sheets: readonly Sheet[]): string {
  const rows = sheets.flatMap((sheet) => sheet.rows);
  const label = Math.max(...rows.map((row) => row.label.length));
  const amount = Math.max(...rows.map((row) => rowAmountText(row).length));
  return sheets
    .map(({ title, rows: own, conclusion }) => {
      const lines = own.map((row) =>
        `  ${row.label.padEnd(label)}  ${row.sign} ${rowAmountText(row).padStart(amount)}  ${row.note ?? ''}`.trimEnd(),
      );
      return [title, ...lines, ...(conclusion === undefined ? [] : [`  ${conclusion}`])].join('\n');
    })
    .join('\n\n');
}

/** The amount of a row; what multiplies or divides is a plain number: `1.5`, not `1500m`. */
export function rowAmountText({ sign, amount }: SumRow): string {
  const isFactor = sign === '×' || sign === '÷';
  return isFactor && typeof amount === 'object' ? plainText(amount) : amountText(amount);
}

function plainText({ nanos }: Quantity): string {
  const fraction = (nanos % UNIT).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nanos / UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

function toPodSheet({ terms, earlier }: PodSum, pod: Pod): Sheet {
  const { running, runningSum, starts, ofContainers, podLevel, overhead, total } = terms;
  const rows: SumRow[] = [];
  addTerms(rows, running, earlier, pod);
  const others = starts.length + Number(podLevel !== undefined) + Number(overhead !== undefined);
  if (others > 0) rows.push(toRow('=', 'while it runs', runningSum));
  for (const start of starts) addStart(rows, start, earlier, pod);
  if (starts.length > 0) rows.push(toRow('=', 'the largest of these', ofContainers));
  if (podLevel !== undefined) rows.push(toRow(' ', "in its place the pod's own", podLevel));
  if (overhead !== undefined) rows.push(toRow('+', 'overhead', overhead));
  rows.push(toRow('=', `pod ${quote(podName(pod))}`, total));
  return { title: titleOf(terms), rows, conclusion: undefined };
}

function titleOf({ list, resource }: SumTerms): string {
  return `${word(resource)} ${list}`;
}

function addTerms(rows: SumRow[], terms: readonly Term[], earlier: readonly Earlier[], pod: Pod): void {
  for (const [index, { container, quantity }] of terms.entries()) {
    const note = noteOf(earlier.find((one) => one.container === container));
    rows.push({ ...toRow(index === 0 ? ' ' : '+', subjectOf(pod, container), quantity), note });
  }
}

function addStart(rows: SumRow[], { init, beside, sum }: Start, earlier: readonly Earlier[], pod: Pod): void {
  addTerms(rows, [init, ...beside], earlier, pod);
  rows.push(toRow('=', `while ${quote(init.container.name)} runs`, sum));
}

function noteOf(earlier: Earlier | undefined): string {
  if (earlier === undefined) return '';
  const { stored, allocated, actual } = earlier;
  const said = [
    ['was', stored],
    ['allocated', allocated],
    ['actual', actual],
  ] as const;
  return said.flatMap(([what, quantity]) => (quantity ? `${what} ${amountText(quantity)}` : [])).join(', ');
}

function toNodeSheet(sum: NodeSum): Sheet {
  const { resource, node, allocatable, neighbours, free } = sum;
  const rows = [
    toRow(' ', 'allocatable', allocatable),
    ...neighbours.map(({ name, held }) => toRow('-', name, held)),
    toRow('=', 'free for this pod', free),
  ];
  return { title: `${word(resource)} on node ${quote(node)}`, rows, conclusion: conclusionOf(sum) };
}

function toRuleSheet({ rule, guardrail, sum: { title, rows, conclusion } }: RuleSum): Sheet {
  return { title: `[${rule}] ${title}, guardrail ${quote(guardrail)}`, rows, conclusion };
}

function conclusionOf({ wanted, free, allocatable, held }: NodeSum): string {
  const asked = amountText(wanted);
  if (compare(wanted, allocatable) > 0) return `${asked} is more than the ${amountText(allocatable)} that the node has`;
  if (compare(wanted, free) <= 0) return `${asked} is within the ${amountText(free)} that is free`;
  const more = `${asked} is more than the ${amountText(free)} that is free`;
  return held !== undefined && compare(wanted, held) <= 0 ? `${more}, though no more than the pod holds already` : more;
}

function toRow(sign: Sign, label: string, amount: Quantity | undefined): SumRow {
  return { sign, label, amount };
}
