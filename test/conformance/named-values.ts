// The values that findings name, as the pod has them: a finding cuts long texts, and says its own words.
import type { Container, Pod } from '../../src/model/pod.ts';
import type { Resources } from '../../src/model/resources.ts';
import type { Facts } from '../../src/rules/facts.ts';
import { word } from '../../src/rules/message.ts';
import type { PodAnswer } from './answers.ts';
import type { RuleFinding } from './core-findings.ts';
import { type Amount, amountOf } from './written-amounts.ts';

/** What is known besides a finding. The suites on an API server know neither. */
export interface Seen {
  readonly facts?: Facts | undefined;
  readonly theirs?: PodAnswer;
}

interface Place {
  readonly path: string;
  readonly list: 'requests' | 'limits' | 'overhead';
  readonly resource: string;
}

const VALUE = /^spec\.(?:.*\]\.)?(?:resources\.)?(requests|limits|overhead)\["?(.+?)"?\]$/;

/** The place that a finding names; undefined where that is not a value's. */
export function placeOf({ path }: Pick<RuleFinding, 'path'>): Place | undefined {
  const [, list, resource = ''] = VALUE.exec(path) ?? [];
  return list === undefined ? undefined : { path, list: list as Place['list'], resource };
}

/** The container of a pod that a path is in. */
export function containerAt(pod: Pod, path: string): Container | undefined {
  const [, list, index] = /^spec\.(initContainers|containers)\[(\d+)\]/.exec(path) ?? [];
  return list === undefined ? undefined : pod[list as 'initContainers' | 'containers'][Number(index)];
}

/** The list of a pod at a place; undefined where there is no such container. */
export function listAt(pod: Pod, { path, list }: Place): Resources | undefined {
  if (list === 'overhead') return pod.overhead;
  return path.startsWith('spec.resources.') ? pod.podLevel?.[list] : containerAt(pod, path)?.[list];
}

/** The text at the place, else what the finding says of it: that one is cut where it is long. */
export function textOf(finding: RuleFinding, { facts }: Seen): string | undefined {
  const place = placeOf(finding);
  if (facts === undefined || place === undefined) return finding.actual;
  const [, value] = [...(listAt(facts.pod, place) ?? [])].find(([name]) => word(name) === word(place.resource)) ?? [];
  return value?.written;
}

/** Whether that is so of the amount that a finding names. Of a text that was cut nobody can tell, so it passes: only a suite without
 * the pods has such texts. */
export function isSoOf(text: string | undefined, isSo: (amount: Amount) => boolean): boolean {
  if (text?.endsWith('…')) return true;
  const amount = text === undefined ? undefined : amountOf(text);
  return amount !== undefined && isSo(amount);
}

const SUM =
  /must (?:(?<list>request) at most \S+ (?:of )?(?<requested>\S+)|limit (?<limited>\S+) to at most \S+) in all; /;

/** The resource of a sum of the pod that a finding is about, and the text of that sum: Kubernetes' own, else the finding's. */
export function sumOf(
  { message, actual }: RuleFinding,
  { facts, theirs = {} }: Seen,
): readonly [resource: string, text: string | undefined] | undefined {
  const { list, requested, limited } = SUM.exec(message)?.groups ?? {};
  const resource = requested ?? limited;
  if (resource === undefined) return undefined;
  if (facts === undefined) return [resource, actual];
  const nanos = (list === undefined ? theirs.limits : theirs.requests)?.[resource];
  return [resource, nanos === undefined ? undefined : `${nanos}n`];
}
