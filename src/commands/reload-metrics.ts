// What Prometheus is told of the guardrails' files: whether those in force are those in the files, and since when.
import { Gauge, type Registry } from 'prom-client';

/** Registers both gauges; gives what is to be called after each reading. */
export function createReloadMetrics(registry: Registry, now: () => Date = () => new Date()): (isGood: boolean) => void {
  const registers = [registry];
  const isCurrent = new Gauge({
    name: 'podrail_guardrails_last_reload_successful',
    help: 'Whether the last reading of the guardrails found no mistake; with 0 earlier ones are in force.',
    registers,
  });
  const since = new Gauge({
    name: 'podrail_guardrails_last_reload_success_timestamp_seconds',
    help: 'When the guardrails in force were read, in seconds since 1970.',
    registers,
  });
  return (isGood) => {
    isCurrent.set(isGood ? 1 : 0);
    if (isGood) since.set(now().getTime() / 1000);
  };
}
