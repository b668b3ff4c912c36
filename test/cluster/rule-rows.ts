// The rows of rules.yaml: what a tenant asks of a real API server, and what comes back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Row {
  readonly rule: string;
  /** The pod's name, its label `row`, and the name of the row's guardrail. */
  readonly name: string;
  /** `1.33`, `1.33-1.35`, or `1.35-` for it and all that come after: where this is so; without it everywhere. */
  readonly minors?: string;
  /** The settings of the rule in a guardrail that is for this pod alone. */
  readonly guardrail?: object;
  /** The spec of a pod that is there before, what its metadata has besides, and where and how it runs. */
  readonly pod?: object;
  readonly metadata?: object;
  readonly on?: string;
  readonly status?: object;
  /** A resize that has gone before. */
  readonly resized?: object;
  /** One of these is asked: a spec, or a patch of one (a list is a JSON patch of the pod). */
  readonly create?: object;
  readonly resize?: object;
  readonly update?: object;
  /** podrail refuses it: its findings. */
  readonly refused?: readonly { readonly field: string; readonly message: string; readonly reason?: string }[];
  /** Kubernetes refuses it before podrail may: what its Status says, of a message the first line. */
  readonly kubernetes?: { readonly code: number; readonly reason: string; readonly message: string };
  /** Kubernetes drops it between the phases, so podrail has said it in the first. */
  readonly isEarly?: true;
  /** Warnings of Kubernetes' own, before podrail's. */
  readonly besides?: readonly string[];
  /** The rule that speaks, where it is another one. */
  readonly says?: string;
  /** What podrail warns of, whether it is refused or not. */
  readonly warned?: readonly string[];
  /** The `resizePolicy` of each container as it is stored. */
  readonly stored?: readonly object[];
}

type Written = Omit<Row, 'rule' | 'name'>;

const TABLE = readFileSync(join(import.meta.dirname, 'rules.yaml'), 'utf8');

/** The rows of a minor, in the order of the file. */
export function rowsOf(minor: string): readonly Row[] {
  const table = parse(TABLE.replaceAll('{minor}', minor)) as Readonly<Record<string, readonly Written[]>>;
  return Object.entries(table)
    .flatMap(([rule, rows]) => rows.map((row, index) => named(rule, index === 0 ? rule : `${rule}-${index + 1}`, row)))
    .filter(({ minors = minor }) => isIn(minor, minors));
}

function named(rule: string, name: string, row: Written): Row {
  return { rule, name, ...(JSON.parse(JSON.stringify(row).replaceAll('{name}', name)) as Written) };
}

function isIn(minor: string, minors: string): boolean {
  const [first = '', last = first] = minors.split('-');
  const at = numberOf(minor);
  return numberOf(first) <= at && (last === '' || at <= numberOf(last));
}

// 1.100 comes after 1.99.
function numberOf(minor: string): number {
  return Number(minor.slice(2));
}
