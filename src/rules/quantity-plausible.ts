// A quantity must be one that somebody can mean: Kubernetes reads `cpu: 200Mi` as 209715200 cpu, `memory: 128m` as 0.128 bytes.
//
// Looks at: cpu and memory, requested and limited, of every container and of the pod; whether only the pod has resources
// Allowed:  cpu up to maxCpu and without a binary suffix; memory of 0, or from minMemory on
// Advice:   memory that is no whole number of bytes; cpu finer than 1m; pod-level resources where one container is alone
// On a resize: only what the request changes
import { z } from 'zod';
import { compare, isCountable, type Quantity, quantityOf, toUnits, UNIT } from '../model/quantity.ts';
import { hasPodLevelResources, toVersionText } from '../model/kubernetes-version.ts';
import type { Facts } from './facts.ts';
import { findInValues, type JudgedValue } from './judged-values.ts';
import { actualText, boundText, quantityText, subjectOf } from './message.ts';
import { cpuMeant, memoryMeant, toMebibytes, toPlainNumber, toRoundSize } from './quantity-meant.ts';
import { defineRule, type Finding } from './rule.ts';
import { quantitySetting } from './settings.ts';

const settings = z.strictObject({
  maxCpu: quantitySetting.prefault('1024').describe('More cpu than this is taken for a mistake in the unit.'),
  minMemory: quantitySetting
    .prefault('1Mi')
    .describe('Less memory than this, unless 0, is taken for a mistake in the unit.'),
});
type Settings = z.output<typeof settings>;

export const quantityPlausible = defineRule<Settings>({
  id: 'quantity-plausible',
  summary: 'A quantity of cpu or memory must be one that somebody can mean.',
  scopes: ['create', 'resize'],
  perContainer: true,
  settings,
  check(facts, bounds) {
    const findings = findInValues(facts, {
      judge: (resource, quantity) => judge(resource, quantity, bounds),
      explain: (value, verdict) => explain(value, verdict, bounds),
    });
    return hasOnlyPodLevel(facts) ? [...findings, podLevelAdvice(facts)] : findings;
  },
});

type Verdict = 'cpu-suffix' | 'cpu-size' | 'cpu-steps' | 'memory-size' | 'memory-fraction';

// What is negative or too large to count is left to quantity-valid.
function judge(resource: string, quantity: Quantity, bounds: Settings): Verdict | undefined {
  if (quantity.nanos <= 0n) return undefined;
  if (resource === 'cpu') return judgeCpu(quantity, bounds.maxCpu);
  return resource === 'memory' ? judgeMemory(quantity, bounds.minMemory) : undefined;
}

function judgeCpu(quantity: Quantity, most: Quantity): Verdict | undefined {
  if (compare(quantity, most) > 0) return isCountable('cpu', quantity) ? 'cpu-size' : undefined;
  if (quantity.format === 'binary') return 'cpu-suffix';
  return quantity.subMilli ? 'cpu-steps' : undefined;
}

function judgeMemory(quantity: Quantity, least: Quantity): Verdict | undefined {
  if (compare(quantity, least) < 0) return 'memory-size';
  return quantity.nanos % UNIT === 0n ? undefined : 'memory-fraction';
}

function explain(value: JudgedValue, verdict: Verdict, { maxCpu, minMemory }: Settings): Finding {
  const { path, subject, field, list, quantity } = value;
  const actual = quantityText(quantity);
  const must = (bound: string) => `${subject} must ${boundText(list, bound, value.resource)}`;
  switch (verdict) {
    case 'cpu-size': {
      const bound = quantityText(maxCpu);
      const is = inUnits(value, actual, 'cpu');
      const message = `${must(`at most ${bound}`)}; ${is}${orRather(cpuMeant(quantity, maxCpu))}`;
      return { path, message, actual, bound, conclusive: true };
    }
    case 'cpu-suffix': {
      const is = `${actual} is ${toPlainNumber(quantity)} cpu`;
      const message = `${subject} must set ${field} without a binary suffix; ${is}${orRather(cpuMeant(quantity, maxCpu))}`;
      return { path, message, actual, conclusive: true };
    }
    case 'cpu-steps': {
      const rounded = quantityText(quantityOf(quantity.nanos, quantity.format));
      const message = `${subject} must set ${field} in steps of 1m; ${actual} is rounded up to ${rounded}`;
      return { path, message, actual, advice: true };
    }
    case 'memory-size': {
      const bound = quantityText(minMemory);
      const is = `${actual} is ${toPlainNumber(quantity)} ${quantity.nanos === UNIT ? 'byte' : 'bytes'}`;
      const message = `${must(`at least ${bound}`)}; ${is}${orRather(memoryMeant(quantity, minMemory))}`;
      return { path, message, actual, bound, conclusive: true };
    }
    case 'memory-fraction': {
      const about = actual.endsWith('m') ? ` (about ${toRoundSize(quantity)})` : '';
      const becomes = `${actual}${about} is rounded up to ${toUnits(quantity)}`;
      const message = `${must('whole bytes')}; ${becomes}${orRather(toMebibytes(quantity))}`;
      return { path, message, actual, advice: true };
    }
  }
}

function inUnits({ list, quantity }: JudgedValue, actual: string, unit: string): string {
  const plain = toPlainNumber(quantity);
  return plain === actual ? actualText(list, actual) : `${actual} is ${plain} ${unit}`;
}

function orRather(meant: string | undefined): string {
  return meant === undefined ? '' : `, did you mean ${meant}?`;
}

// With one container there is nothing to share: `resources` was most likely indented one step too little.
function hasOnlyPodLevel({ scope, pod }: Facts): boolean {
  if (scope !== 'create' || pod.podLevel === undefined) return false;
  const [container, ...others] = pod.containers;
  if (container === undefined || others.length + pod.initContainers.length > 0) return false;
  return (
    container.requests.size + container.limits.size === 0 && pod.podLevel.requests.size + pod.podLevel.limits.size > 0
  );
}

function podLevelAdvice({ pod, version }: Facts): Finding {
  const must = `${subjectOf(pod, undefined)} must set resources in its container if they are meant for it`;
  const ignored = !hasPodLevelResources(version) ? `, which Kubernetes ${toVersionText(version)} ignores` : '';
  const message = `${must}; they are pod-level${ignored}, and no container has its own`;
  return { path: 'spec.resources', message, advice: true };
}
