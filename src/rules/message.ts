// The words that findings share: how a container, a field and a list are named. The grammar is in docs/architecture.md:
// `<kind> "<name>" must <verb> <field or bound>[ <condition>][; it <verb> <actual>]`.
import { type Container, containerPath, type Pod, podName } from '../model/pod.ts';
import { type Quantity, toText } from '../model/quantity.ts';

const KIND = { main: 'container', sidecar: 'sidecar', init: 'init container' } as const;

// A message must stay below 256 characters, and no text has been validated yet when we name it.
const LONGEST_NAME = 63;
const LONGEST_WORD = 36;
// What cannot be mistaken for a part of the sentence around it.
const PLAIN = /^[\w./:+%,…-]+$/;

/** The API server may cut a longer one. */
const LONGEST_MESSAGE = 256;

/** Who must mend it: `container "app"`, `sidecar "proxy"`, `init container "seed"`; without a container `pod "web"`. */
export function subjectOf(pod: Pod, container: Container | undefined): string {
  return container === undefined ? `pod ${quote(podName(pod))}` : `${KIND[container.kind]} ${quote(container.name)}`;
}

/** A name in double quotes, which it does not hold itself: one line, at most 63 characters of it. */
export function quote(name: string): string {
  return `"${shorten(name.replaceAll('"', "'"), LONGEST_NAME)}"`;
}

/** A resource or another word that a person wrote, at most 36 characters of it; in quotes when it is no plain word. */
export function word(text: string): string {
  const short = shorten(text, LONGEST_WORD);
  return PLAIN.test(text) ? short : quote(short);
}

/** A quantity as it was written, else in canonical form; in quotes when it could not be told from the sentence around it. */
export function quantityText(quantity: Quantity): string {
  return word(toText(quantity));
}

/** As word, without quotes: for a machine, which sees where it ends. */
export function bareWord(text: string): string {
  return shorten(text, LONGEST_WORD);
}

/** As quantityText, without quotes. */
export function bareText(quantity: Quantity): string {
  return bareWord(toText(quantity));
}

/** What must be done about a resource: `request at most 4Gi of memory`, `limit cpu to at most 2`. */
export function boundText(list: 'requests' | 'limits', bound: string, resource: string): string {
  const name = word(resource);
  if (list === 'limits') return `limit ${name} to ${bound}`;
  return resource === 'cpu' || resource.includes('/') ? `request ${bound} ${name}` : `request ${bound} of ${name}`;
}

/** What is done about it now: `it requests 6Gi`, `it limits it to 6Gi`. */
export function actualText(list: 'requests' | 'limits', actual: string): string {
  return list === 'limits' ? `it limits it to ${actual}` : `it requests ${actual}`;
}

/** `resources.limits.memory`, `resources.limits[nvidia.com/gpu]`: the field within its container, or within the pod's spec. */
export function resourceField(list: 'requests' | 'limits', resource: string): string {
  const name = word(resource);
  return `resources.${list}${/^[\w-]+$/.test(resource) ? `.${name}` : `[${name}]`}`;
}

/** The field as the API server names it in its own errors: `spec.containers[0].resources.limits[memory]`; without a container the pod-level `spec.resources…`. */
export function resourcePath(container: Container | undefined, list: 'requests' | 'limits', resource: string): string {
  return `${container === undefined ? 'spec' : containerPath(container)}.resources.${list}[${word(resource)}]`;
}

/** `a`, `a and b`, `a, b and c`; with `or` instead where it is said. */
export function joinWords(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

/** The first of these that is short enough for a message, most telling first; otherwise the last. */
export function firstThatFits(first: string, ...shorter: readonly string[]): string {
  return [first, ...shorter].find(({ length }) => length <= LONGEST_MESSAGE) ?? shorter.at(-1) ?? first;
}

/** `2026-11-30T09:00:00Z`: as the API server writes times, with fractions of a second left out where there are none. */
export function timeText(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}

/** `1h30m`, `10m`, `45s`: whole seconds; nothing and less is `0s`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const parts = [`${Math.floor(seconds / 3600)}h`, `${Math.floor(seconds / 60) % 60}m`, `${seconds % 60}s`];
  return parts.filter((part) => !/^0\D/.test(part)).join('') || '0s';
}

// Control characters would split the line, and the API server drops a warning that has one; others turn the text around.
function shorten(text: string, longest: number): string {
  const line = text.slice(0, longest + 1).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
