// What Prometheus is told of the policy in force: how many guardrails there are, how many exceptions hold, and how many have
// expired and are ignored.
import { Gauge, type Registry } from 'prom-client';
import type { GuardrailException } from '../guardrails/exception.ts';
import type { Guardrail } from '../guardrails/guardrail.ts';

export interface CountedPolicy {
  readonly guardrails: readonly Pick<Guardrail, 'name'>[];
  readonly exceptions: readonly Pick<GuardrailException, 'expires'>[];
}

/** Registers the gauges; `policy` gives the one in force whenever it is asked. */
export function createPolicyMetrics(
  registry: Registry,
  policy: () => CountedPolicy,
  now: () => Date = () => new Date(),
): void {
  new Gauge({
    name: 'podrail_guardrails',
    help: 'Guardrails in force, the built-in one included.',
    registers: [registry],
    collect() {
      this.set(policy().guardrails.length);
    },
  });
  new Gauge({
    name: 'podrail_guardrail_exceptions',
    help: 'Exceptions to guardrails: those that are active, and those that have expired and are ignored.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const all = policy().exceptions;
      const expired = all.filter(({ expires }) => expires <= now()).length;
      this.set({ state: 'active' }, all.length - expired);
      this.set({ state: 'expired' }, expired);
    },
  });
}
