// What is wrong between documents that are each read: names, exceptions and their guardrails, and what will never do anything.
import { fieldOf, isMap } from '../model/json-fields.ts';
import type { SourceDocument } from './documents.ts';
import type { GuardrailException } from './exception.ts';
import type { Guardrail } from './guardrail.ts';
import { mistakeAt } from './issues.ts';
import { type Mistake, shortened, suggestion } from './mistake.ts';
import { isEmptySelector, mayLeaveOutAll } from './selects-nobody.ts';

/** A document, and what has been read of it. */
export interface Read {
  readonly document: SourceDocument;
  readonly kind: string;
  /** Empty where it has none. */
  readonly name: string;
  readonly guardrail?: Guardrail | undefined;
  readonly exception?: GuardrailException | undefined;
}

/** Documents of one kind and name: each after the first is a mistake. */
export function namedTwice(read: readonly Read[]): {
  readonly twice: readonly Mistake[];
  readonly once: readonly Read[];
} {
  const first = new Map<string, Read>();
  const twice: Mistake[] = [];
  for (const one of read) {
    const { document, kind, name } = one;
    const key = `${kind} ${name}`;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, one);
      continue;
    }
    if (name === '') continue;
    const { line, column } = other.document.at(['metadata', 'name']);
    const message = `there is a ${kind} ${name} already, at ${other.document.file}:${line}:${column}`;
    twice.push(mistakeAt(document, ['metadata', 'name'], message));
  }
  return { twice, once: [...first.values()] };
}

/** The exception to a guardrail that is not there. As it is written, so that what else is wrong with it does not hide that. */
export function withoutGuardrail({ document, kind }: Read, names: readonly string[]): readonly Mistake[] {
  const guardrail = kind === 'GuardrailException' ? fieldOf(fieldOf(document.value, 'spec'), 'guardrail') : undefined;
  if (typeof guardrail !== 'string' || guardrail === '' || names.includes(guardrail)) return [];
  const message = `spec.guardrail names no guardrail that there is; it is "${shortened(guardrail)}"${suggestion(guardrail, names)}`;
  return [mistakeAt(document, ['spec', 'guardrail'], message)];
}

/** Rules of an exception that its guardrail does not ask. The baseline is made elsewhere, from a configuration that can change its rules. */
export function withoutRule({ document, exception }: Read, guardrails: readonly Guardrail[]): readonly Mistake[] {
  const guardrail = guardrails.find(({ name }) => name === exception?.guardrail);
  if (exception === undefined || guardrail === undefined) return [];
  const asked = new Set(guardrail.rules.map(({ rule }) => rule));
  return exception.rules.flatMap((rule, index) =>
    asked.has(rule)
      ? []
      : mistakeAt(document, ['spec', 'rules', index], `guardrail ${guardrail.name} does not ask ${rule.id} anyway`),
  );
}

/** An exception that is for everyone, where something else was begun: `match: {}` says that outright. */
export function forEveryone({ document, exception }: Read): readonly Mistake[] {
  const match = fieldOf(fieldOf(document.value, 'spec'), 'match');
  if (exception === undefined || !isMap(match)) return [];
  const selectors = Object.values(match);
  if (selectors.length === 0 || !selectors.every(isEmptySelector)) return [];
  const message = 'spec.match sets nothing, so the exception is for everyone; {} says that';
  return [mistakeAt(document, ['spec', 'match'], message)];
}

/** A guardrail that is right and will never do anything. */
export function withoutEffect({ document, guardrail }: Read): readonly Mistake[] {
  if (guardrail === undefined) return [];
  const spec = fieldOf(document.value, 'spec');
  const selectors = mayLeaveOutAll(fieldOf(spec, 'match'), fieldOf(spec, 'exclude')).map(({ path, message }) =>
    mistakeAt(document, ['spec', ...path], message),
  );
  const rules = fieldOf(spec, 'rules');
  const isEmpty = isMap(rules) && Object.keys(rules).length === 0;
  return isEmpty
    ? [...selectors, mistakeAt(document, ['spec', 'rules'], 'spec.rules names no rule, so it does nothing')]
    : selectors;
}
