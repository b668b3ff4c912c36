// `npm run bench`: podrail against a bare server over TLS, the decision alone, `check` against `yaml` alone, and memory over a million reviews. Ratios are
// what to read: absolute times mean nothing on a shared machine. `npm run bench -- --rounds 9` for steadier figures, `--only http`,
// `--only decision`, `--only guardrails`, `--only check` or `--only memory` for one part of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CELLS } from './bodies.ts';
import { benchCheck } from './check.ts';
import { benchDecision, benchMemory } from './decision.ts';
import { benchGuardrails } from './guardrails.ts';
import { type Measured, measure, type Server, startBare, startPodrail } from './servers.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    warmup: { type: 'string', default: '8' },
    reviews: { type: 'string', default: '1000000' },
    only: { type: 'string' },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

// Pair by pair, podrail to bare: the two of a pair saw the same machine.
function line(name: string, pairs: readonly (readonly [Measured, Measured])[]): string {
  const ratio = (of: (measured: Measured) => number): string => {
    const ratios = pairs.map(([podrail, bare]) => of(podrail) / of(bare));
    return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
  };
  const rate = Math.round(median(pairs.map(([podrail]) => podrail.rate))).toLocaleString('en');
  const cpu = median(pairs.map(([podrail]) => podrail.cpu)).toFixed(0);
  return `| ${name} | ${ratio(({ rate: of }) => of)} | ${ratio(({ p50 }) => p50)} | ${ratio(({ p99 }) => p99)} | ${ratio(({ cpu: of }) => of)} | ${rate} | ${cpu} |`;
}

async function benchHttp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'podrail-bench-'));
  const servers: Server[] = [];
  try {
    const bare = await startBare(folder);
    servers.push(bare);
    const podrail = await startPodrail(folder);
    servers.push(podrail);
    print(
      '\npodrail to a bare server that parses and allows, 10 connections, TLS, one core each for server and client',
    );
    print('| body | throughput | p50 | p99 | CPU a request | podrail req/s | CPU µs |\n|---|---|---|---|---|---|---|');
    for (const { name, phase, body } of CELLS) {
      const path = `/${phase}`;
      const file = join(folder, 'body.json');
      writeFileSync(file, body);
      for (const server of servers) await measure(server, path, file, Number(values.warmup));
      const pairs: (readonly [Measured, Measured])[] = [];
      for (let round = 0; round < Number(values.rounds); round++) {
        const first = await measure(round % 2 === 0 ? podrail : bare, path, file, Number(values.seconds));
        const second = await measure(round % 2 === 0 ? bare : podrail, path, file, Number(values.seconds));
        pairs.push(round % 2 === 0 ? [first, second] : [second, first]);
      }
      print(line(`${name} (${body.length} bytes)`, pairs));
    }
  } finally {
    for (const { process: child } of servers) child.removeAllListeners('exit').kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const isWanted = (part: string): boolean => values.only === undefined || values.only === part;

print(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
if (isWanted('http')) await benchHttp();
if (isWanted('decision')) benchDecision(print);
if (isWanted('guardrails')) benchGuardrails(print);
if (isWanted('check')) benchCheck(print, Number(values.rounds));
if (isWanted('memory')) benchMemory(print, Number(values.reviews));
