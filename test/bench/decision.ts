// The decision alone, without HTTP: body to response, its parts, and whether memory stays where it is.
import { readEnvelope } from '../../src/admission/envelope.ts';
import { readJson } from '../../src/admission/read-json.ts';
import { readAdmissionRequest } from '../../src/admission/request.ts';
import { review, type ReviewContext } from '../../src/admission/review.ts';
import { REVIEW } from '../../src/admission/review-shape.ts';
import { createRecordIds } from '../../src/audit/record-id.ts';
import { createRetries } from '../../src/audit/retries.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { CELLS, CLUSTER, type Cell } from './bodies.ts';

const ROUNDS = 5;

/** As `serve` has it: the whole baseline, a node that is known, and the audit level that people use. */
export function benchContext(): ReviewContext {
  return {
    policy: createPolicy([createBaseline('enforce')]),
    cluster: createClusterView(CLUSTER),
    version: { minor: 35 },
    ownNamespace: 'podrail',
    onFault: 'deny',
    auditLevel: 'denied',
    now: () => new Date(),
    elapsedMs: () => performance.now(),
    recordIds: createRetries(createRecordIds()),
  };
}

/** Microseconds a call: the best of a few rounds, since everything else on the machine can only make it slower. */
function microseconds(work: () => unknown, calls = 20_000): number {
  for (let i = 0; i < 5_000; i++) work();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) work();
    best = Math.min(best, Number(process.hrtime.bigint() - started) / 1_000 / calls);
  }
  return best;
}

function line(cell: Cell): string {
  const context = benchContext();
  const { body, phase } = cell;
  const json = readEnvelope(readJson(body, REVIEW));
  const scope = json.operation === 'CREATE' ? 'create' : 'resize';
  const parse = microseconds(() => JSON.parse(body));
  const read = microseconds(() => readJson(body, REVIEW));
  const pods = microseconds(() => readAdmissionRequest(json, scope));
  const whole = microseconds(() => review(body, phase, context));
  const recorded = microseconds(() => review(body, phase, { ...context, auditLevel: 'all' }));
  const share = (part: number): string => `${Math.round((100 * part) / whole)} %`.padStart(5);
  return [
    cell.name.padEnd(13),
    `${whole.toFixed(1).padStart(6)} µs`,
    `read ${share(read)}`,
    `pods ${share(pods)}`,
    `rules and answer ${share(whole - read - pods)}`,
    `a record adds ${share(recorded - whole)}`,
    `JSON.parse alone would be ${(parse / whole).toFixed(2)} of it`,
  ].join('  ');
}

/** Prints the table of the decision alone. */
export function benchDecision(print: (line: string) => void): void {
  print('\nthe decision alone, body to response (best of 5 rounds)');
  for (const cell of CELLS) print(line(cell));
}

/** Heap growth over many reviews, after garbage collection, in MB. Needs --expose-gc. */
export function benchMemory(print: (line: string) => void, reviews: number): void {
  const context = benchContext();
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) throw new Error('run this with --expose-gc');
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  const run = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const cell = CELLS[i % 2] as Cell;
      // Every request has its own quantities and names, as tenants have, so that nothing can be kept by accident.
      const body = cell.body
        .replaceAll('256Mi', `${256 + (i % 100_000)}Mi`)
        .replace('8412a3ad', String(i).padStart(8, '0'));
      review(body, cell.phase, context);
    }
  };
  print(`\nmemory over ${reviews.toLocaleString('en')} reviews, which takes a minute or more`);
  run(reviews / 10);
  const before = heap();
  run(reviews);
  const after = heap();
  print(
    `heap after ${reviews.toLocaleString('en')} reviews: ${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after`,
  );
}
