// Creates and resizes that Kubernetes itself would let pass, and guardrails in mode fix, for the laws of that mode.
import fc from 'fast-check';
import { compare, parseQuantity } from '../../src/model/quantity.ts';
import { RULES } from '../../src/rules/index.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import type { GuardrailRule } from '../../src/guardrails/read-rules.ts';
import type { Mode } from '../../src/guardrails/mode.ts';

const CPU = ['1m', '10m', '100m', '0.25', '500m', '999m', '1', '1500m', '2', '2001m', '3', '4', '7', '8'];
const MEMORY = ['1Mi', '16Mi', '64Mi', '100M', '1000000001', '1Gi', '1.5Gi', '1536Mi', '2Gi', '3Gi', '4Gi', '8Gi'];

interface Amount {
  readonly request?: string;
  readonly limit?: string;
}

export interface ContainerJson {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resizePolicy: readonly unknown[];
  readonly resources: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
}

export interface PodJson {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly containers: readonly ContainerJson[];
    readonly initContainers: readonly ContainerJson[];
  };
}

/** A request, a limit, both in order, or neither. */
function amountOf(values: readonly string[]): fc.Arbitrary<Amount> {
  const value = fc.constantFrom(...values);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.record({ request: value }) },
    { weight: 2, arbitrary: fc.record({ limit: value }) },
    { weight: 2, arbitrary: value.map((both) => ({ request: both, limit: both })) },
    {
      weight: 6,
      arbitrary: fc.tuple(value, value).map(([a, b]) => {
        const isInOrder = compare(parseQuantity(a), parseQuantity(b)) <= 0;
        return isInOrder ? { request: a, limit: b } : { request: b, limit: a };
      }),
    },
  );
}

const resources = fc.record({ cpu: amountOf(CPU), memory: amountOf(MEMORY) }).map(({ cpu, memory }) => {
  const requests = { ...(cpu.request && { cpu: cpu.request }), ...(memory.request && { memory: memory.request }) };
  const limits = { ...(cpu.limit && { cpu: cpu.limit }), ...(memory.limit && { memory: memory.limit }) };
  return {
    ...(Object.keys(requests).length > 0 && { requests }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
});

const POLICIES = [
  { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  { resourceName: 'memory', restartPolicy: 'NotRequired' },
];

function containerOf(name: string, more: object): fc.Arbitrary<ContainerJson> {
  return resources.map((own) => ({ name, ...more, resizePolicy: POLICIES, resources: own }));
}

const SIDECAR = { restartPolicy: 'Always', startupProbe: {} };

export const pod: fc.Arbitrary<PodJson> = fc
  .record({
    containers: fc.oneof(fc.tuple(containerOf('app', {})), fc.tuple(containerOf('app', {}), containerOf('other', {}))),
    initContainers: fc.oneof(fc.constant([]), fc.tuple(containerOf('proxy', SIDECAR))),
  })
  .map((spec) => ({ metadata: { name: 'web', namespace: 'team-blue' }, spec }));

/** The stored pod, and as it is asked to become: other values where there are values. */
export const resize: fc.Arbitrary<readonly [before: PodJson, asked: PodJson]> = fc
  .tuple(pod, pod)
  .map(([before, other]) => {
    const spec = {
      containers: before.spec.containers.map((own, index) => resized(own, other.spec.containers[index])),
      initContainers: before.spec.initContainers.map((own, index) => resized(own, other.spec.initContainers[index])),
    };
    return [before, { ...before, spec }];
  });

function resized(own: ContainerJson, other: ContainerJson | undefined): ContainerJson {
  if (other === undefined) return own;
  const keys = (one: ContainerJson): string => JSON.stringify([listed(one, 'requests'), listed(one, 'limits')]);
  return keys(own) === keys(other) ? { ...own, resources: other.resources } : own;
}

function listed({ resources: { requests, limits } }: ContainerJson, list: 'requests' | 'limits'): readonly string[] {
  return Object.keys((list === 'requests' ? requests : limits) ?? {});
}

const bound = fc.record({ cpu: fc.constantFrom(...CPU), memory: fc.constantFrom(...MEMORY) }, { requiredKeys: [] });
const range = fc.record({ min: bound, max: bound }, { requiredKeys: [] });
const factor = fc.constantFrom(1, 1.5, 2, 4);
const step = fc.record({ factor, amount: bound }, { requiredKeys: [] });

const rules = {
  'container-size': fc.record(
    { max: bound, min: bound, requests: range, limits: range, sidecar: range },
    { requiredKeys: [] },
  ),
  'limit-request-ratio': fc.record({ cpu: factor, memory: factor }, { requiredKeys: [] }),
  'resize-step': fc.record({ grow: step, shrink: step }, { requiredKeys: [] }),
};

/** The settings of one or two guardrails in mode fix; none that contradict themselves. */
export const settings: fc.Arbitrary<readonly object[]> = fc
  .array(fc.record(rules, { requiredKeys: [] }), { minLength: 1, maxLength: 2 })
  .filter((all) => guardrailsOf(all).length === all.length);

/** Settings of container-size alone. */
export const sizes: fc.Arbitrary<object> = rules['container-size'].filter(
  (own) => guardrailsOf([{ 'container-size': own }]).length === 1,
);

/** The guardrails in mode fix of these settings, without those that are a mistake. */
export function guardrailsOf(all: readonly object[], match: object = {}): readonly Guardrail[] {
  return all.flatMap((own, index) => guardrailOf(own, `tenants-${index}`, match) ?? []);
}

/** Its rules in mode fix, save where they say another; undefined when the settings are a mistake. */
export function guardrailOf(own: object, name: string, match: object = {}): Guardrail | undefined {
  const rules: GuardrailRule[] = [];
  for (const rule of RULES) {
    const asked = (own as Record<string, { readonly mode?: Mode }>)[rule.id];
    if (asked === undefined) continue;
    const { mode = 'fix', ...given } = asked;
    const { data } = rule.settings.safeParse(given);
    if (data === undefined) return undefined;
    rules.push({ rule, mode, settings: data });
  }
  return { name, match, exclude: {}, rules };
}
