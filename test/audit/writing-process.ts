// A process of its own that audits as `podrail serve` does; its parent says what to do and is told what happened.
import { Registry } from 'prom-client';
import { openAudit } from '../../src/audit/audit.ts';
import { type Report, toNumbered } from './child-process.ts';

const tell = (report: Report): void => void process.send?.(report);

const path = process.argv[2];
const registry = new Registry();
const audit = await openAudit({
  output: process.stdout,
  ...(path === undefined ? {} : { file: { path } }),
  registry,
  log: {
    info: (_, message) => tell({ said: message }),
    warn: (_, message) => tell({ said: message }),
    error: (_, message) => tell({ said: message }),
  },
});
process.on('SIGHUP', () => void audit.reopen().then(() => tell({ done: 'reopen' })));

let next = 0;

async function obey(order: unknown): Promise<void> {
  if (order === 'close') {
    await audit.close();
    const dropped = await registry.getSingleMetricAsString('podrail_audit_dropped_total');
    process.send?.({ done: 'close', dropped }, () => process.exit(0));
    return;
  }
  for (const end = next + Number(order); next < end; next += 1) audit.write(toNumbered(next));
  tell({ done: 'write' });
}

process.on('message', (order) => void obey(order));
tell({ done: 'start' });
