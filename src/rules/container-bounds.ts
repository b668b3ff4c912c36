// The settings of container-size: what a container of each kind may request and be limited to. All bounds that are written
// hold: there is no precedence, the tightest counts.
import { z } from 'zod';
import { isMap } from '../model/json-fields.ts';
import type { ContainerKind } from '../model/pod.ts';
import { compare, type Quantity, toText } from '../model/quantity.ts';
import { withinMaxima } from './within-maxima.ts';
import { amountOf, type Amounts, amountsSetting, larger, readableAmounts, smaller } from './amounts.ts';
import { BESIDE_MISTAKES, needed } from './settings.ts';

const KINDS = ['main', 'sidecar', 'init'] as const;

const range = {
  min: amountsSetting.optional().describe('The least that a container may request and be limited to, by resource.'),
  max: amountsSetting.optional().describe('The most that a container may request and be limited to, by resource.'),
};
const rangeOf = needed(z.strictObject(range), 'must set min or max');
const bounds = {
  ...range,
  requests: rangeOf.optional().describe('A min and a max of requests alone.'),
  limits: rangeOf.optional().describe('A min and a max of limits alone.'),
};
const boundsOf = needed(z.strictObject(bounds), 'must set min, max, requests or limits');

export const containerBounds = z
  .strictObject({
    ...bounds,
    main: boundsOf.optional().describe('Each of the above for main containers alone.'),
    sidecar: boundsOf
      .optional()
      .describe('The same for sidecars, which are init containers with restartPolicy: Always.'),
    init: boundsOf.optional().describe('The same for init containers that are no sidecars.'),
  })
  .superRefine((settings, context) => {
    for (const { path, message } of contradictions(readableBounds(settings)))
      context.addIssue({ code: 'custom', path, message });
  }, BESIDE_MISTAKES)
  .meta({ 'x-kubernetes-validations': validations() });

export type ContainerBounds = z.output<typeof containerBounds>;
type Bounds = Omit<ContainerBounds, ContainerKind>;
type List = 'requests' | 'limits';

/** The largest of all minima that concern this value. */
export function leastOf(settings: ContainerBounds, kind: ContainerKind, list: List, resource: string) {
  return larger(leastIn(settings, list, resource), leastIn(settings[kind], list, resource));
}

/** The smallest of all maxima that concern this value. */
export function mostOf(settings: ContainerBounds, kind: ContainerKind, list: List, resource: string) {
  return smaller(mostIn(settings, list, resource), mostIn(settings[kind], list, resource));
}

function leastIn(own: Bounds | undefined, list: List, resource: string): Quantity | undefined {
  return own && larger(amountOf(own.min, resource), amountOf(own[list]?.min, resource));
}

function mostIn(own: Bounds | undefined, list: List, resource: string): Quantity | undefined {
  return own && smaller(amountOf(own.max, resource), amountOf(own[list]?.max, resource));
}

// What the API server can check of `contradictions`: minima and maxima of one level, and plain ones of a kind and of all.
function validations() {
  const within = [undefined, ...KINDS].flatMap((kind) => {
    const at = kind === undefined ? [] : [kind];
    const [max, ofRequests, ofLimits] = [
      [...at, 'max'],
      [...at, 'requests', 'max'],
      [...at, 'limits', 'max'],
    ];
    return [
      withinMaxima([...at, 'min'], [max, ofRequests, ofLimits]),
      withinMaxima([...at, 'requests', 'min'], [max, ofRequests, ofLimits]),
      withinMaxima([...at, 'limits', 'min'], [max, ofLimits]),
    ];
  });
  const across = KINDS.flatMap((kind) => [
    withinMaxima(['min'], [[kind, 'max']]),
    withinMaxima([kind, 'min'], [['max']]),
  ]);
  return [...within, ...across].flat();
}

// Of settings that may hold mistakes the bounds that can be compared.
function readableBounds(settings: unknown): ContainerBounds {
  return { ...readableLevel(settings), ...readableFields(settings, KINDS, readableLevel) };
}

function readableLevel(level: unknown): Bounds {
  return { ...readableRange(level), ...readableFields(level, ['requests', 'limits'], readableRange) };
}

function readableRange(level: unknown) {
  return readableFields(level, ['min', 'max'], readableAmounts);
}

function readableFields<Name extends string, Field>(
  value: unknown,
  names: readonly Name[],
  read: (field: unknown) => Field,
): { readonly [name in Name]?: Field } {
  const found = names.flatMap((name) => (isMap(value) && isMap(value[name]) ? [[name, read(value[name])]] : []));
  return Object.fromEntries(found) as { readonly [name in Name]?: Field };
}

interface Contradiction {
  readonly path: string[];
  readonly message: string;
}

function contradictions(settings: ContainerBounds): readonly Contradiction[] {
  const found = new Map<string, Contradiction>();
  for (const minima of minimaOf(settings)) {
    for (const [resource, least] of Object.entries(minima.amounts)) {
      const most = mostFor(settings, minima, resource);
      if (most === undefined || compare(least, most) <= 0) continue;
      const path = [...minima.path, resource];
      found.set(path.join('.'), { path, message: `must be at most the max, ${toText(most)}` });
    }
  }
  return [...found.values()];
}

// A request is never above its limit, so what must be requested must be allowed as a limit too.
function mostFor(settings: ContainerBounds, { list, kinds }: Minima, resource: string): Quantity | undefined {
  const lists = list === 'requests' ? (['requests', 'limits'] as const) : ([list] as const);
  const all = kinds.flatMap((kind) => lists.map((one) => mostOf(settings, kind, one, resource)));
  return all.reduce(smaller, undefined);
}

interface Minima {
  readonly path: readonly string[];
  readonly list: List;
  readonly amounts: Amounts;
  readonly kinds: readonly ContainerKind[];
}

function minimaOf(settings: ContainerBounds): readonly Minima[] {
  const ofKinds = KINDS.flatMap((kind) => minimaIn(settings[kind] ?? {}, [kind], [kind]));
  return [...minimaIn(settings, [], KINDS), ...ofKinds];
}

function minimaIn(own: Bounds, path: readonly string[], kinds: readonly ContainerKind[]): readonly Minima[] {
  const found: Minima[] = [];
  for (const list of ['requests', 'limits'] as const) {
    if (own.min) found.push({ path: [...path, 'min'], list, amounts: own.min, kinds });
    const min = own[list]?.min;
    if (min) found.push({ path: [...path, list, 'min'], list, amounts: min, kinds });
  }
  return found;
}
