// What guardrails for others cost: a decision with 200 guardrails of which 5 match, to one with those 5 alone.
import { review, type ReviewContext } from '../../src/admission/review.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { CELLS } from './bodies.ts';
import { benchContext } from './decision.ts';

const ALL = 200;
const MATCHING = 5;
const ROUNDS = 15;
const CALLS = 4_000;

// As platforms write them: most by namespace, some by label of the pod, some by who asks.
const OTHERS = [
  (name: string) => `namespaces: [${name}]`,
  (name: string) => `namespaces: [${name}-*, ${name}]`,
  (name: string) => `podSelector: { matchLabels: { team: ${name} } }`,
  (name: string) => `serviceAccounts: [${name}/deployer]`,
];

function guardrail(name: string, match: string): Guardrail {
  const text = `apiVersion: podrail.dev/v1alpha1
kind: Guardrail
metadata: { name: ${name} }
spec:
  match: { ${match} }
  rules:
    container-size: { max: { cpu: "8", memory: 16Gi } }
    limit-request-ratio: { cpu: 16, memory: 16 }
    resize-step: { grow: { factor: 100 } }
`;
  const { guardrails, mistakes } = readGuardrails(text, name);
  const [only] = guardrails;
  if (only === undefined) throw new Error(mistakes.map(({ message }) => message).join('\n'));
  return only;
}

function contextOf(guardrails: readonly Guardrail[]): ReviewContext {
  return { ...benchContext(), policy: createPolicy([...guardrails, createBaseline('enforce')]) };
}

/** Prints the ratio for each body: the best rounds of both, taken in turns. */
export function benchGuardrails(print: (line: string) => void): void {
  const matching = Array.from({ length: MATCHING }, (_, index) => guardrail(`m${index}`, 'namespaces: [team-*]'));
  const others = Array.from({ length: ALL - MATCHING }, (_, index) => {
    const match = OTHERS[index % OTHERS.length] ?? OTHERS[0];
    return guardrail(`o${index}`, match?.(`other-${index}`) ?? '');
  });
  const few = contextOf(matching);
  const many = contextOf([...others, ...matching]);
  print(
    `\na decision with ${ALL} guardrails of which ${MATCHING} match, to one with ${MATCHING} (at most 1.5 is the aim)`,
  );
  for (const { name, phase, body } of CELLS) {
    const time = (context: ReviewContext): number => {
      // Of the processor, not of the clock: what else the machine does is not ours.
      const started = process.cpuUsage();
      for (let i = 0; i < CALLS; i++) review(body, phase, context);
      return process.cpuUsage(started).user;
    };
    const best = { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round++) {
      best.few = Math.min(best.few, time(few));
      best.many = Math.min(best.many, time(many));
    }
    print(`${name.padEnd(13)} ${(best.many / best.few).toFixed(2)}`);
  }
}
