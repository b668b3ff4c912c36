// The order in which one rule says what it found: the same pod always gets the same text.
import { compareNames } from '../model/resources.ts';
import type { Finding } from './rule.ts';

/** Init containers come after all main ones, what is about no container last. */
const FIRST_INIT = 1e6;
const NO_CONTAINER = 2e6;

/** Sorted by container, then requests, limits and other fields, then cpu, memory and by name. For findings gathered by resource. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings;
  return findings
    .map((finding) => ({ finding, place: placeOf(finding.path) }))
    .sort(
      ({ place: a }, { place: b }) =>
        a.container - b.container || a.list - b.list || compareNames(a.resource, b.resource),
    )
    .map(({ finding }) => finding);
}

interface Place {
  readonly container: number;
  readonly list: number;
  readonly resource: string;
}

function placeOf(path: string): Place {
  const [, kind, index] = /^spec\.(containers|initContainers)\[(\d+)\]/.exec(path) ?? [];
  const [, list, resource = ''] = /resources\.(requests|limits)[.[]([^\]]+)/.exec(path) ?? [];
  const container = kind === undefined ? NO_CONTAINER : Number(index) + (kind === 'containers' ? 0 : FIRST_INIT);
  return { container, list: ['requests', 'limits', undefined].indexOf(list), resource };
}
