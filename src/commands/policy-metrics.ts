// What Prometheus is told of the policy in force: how many exceptions hold, and how many have expired and are ignored.
import { Gauge, type Registry } from 'prom-client';
import type { GuardrailException } from '../guardrails/exception.ts';

/** Registers the gauge; `exceptions` are those of the policy in force whenever it is asked. */
export function createPolicyMetrics(
  registry: Registry,
  exceptions: () => readonly Pick<GuardrailException, 'expires'>[],
  now: () => Date = () => new Date(),
): void {
  new Gauge({
    name: 'podrail_guardrail_exceptions',
    help: 'Exceptions to guardrails: those that are active, and those that have expired and are ignored.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const all = exceptions();
      const expired = all.filter(({ expires }) => expires <= now()).length;
      this.set({ state: 'active' }, all.length - expired);
      this.set({ state: 'expired' }, expired);
    },
  });
}
