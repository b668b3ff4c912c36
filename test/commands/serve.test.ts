// `podrail serve` as a process: it answers, records, reopens, drains, and ends; or says in one line why it cannot begin.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { Command, CommanderError } from 'commander';
import type { AuditRecord } from '../../src/admission/record.ts';
import { addServe, toConfig } from '../../src/commands/serve.ts';
import { UsageError } from '../../src/commands/usage-error.ts';
import { DEFAULTS } from '../../src/config.ts';
import { createAuthority } from '../../src/tls/self-made.ts';
import { recordedTerminal } from './recorded-terminal.ts';
import { type LogLine, run, type Running, serve } from './running.ts';

const examples = join(import.meta.dirname, '../../examples');
const CLUSTER = ['--cluster', join(examples, 'cluster.yaml')];
const body = (name: string): string => readFileSync(join(examples, 'reviews', `${name}.json`), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'podrail-serve-'));
after(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(inFolder(name), text);
  return inFolder(name);
};

const portOf = (address: string | undefined): number => Number(address?.split(':').at(-1));

/** Posts a review and gives whether it was allowed. */
const post = async ({ listen }: LogLine, ca: string, review: string, path = '/validate'): Promise<boolean> => {
  const headers = { 'Content-Type': 'application/json' };
  const call = request({ host: '127.0.0.1', port: portOf(listen), path, method: 'POST', ca, headers, agent: false });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.end(review);
  const [response] = await answered;
  const answer = JSON.parse(await textOf(response)) as { readonly response: { readonly allowed: boolean } };
  return answer.response.allowed;
};

/** Opens a connection and sends the beginning of a request on it: podrail must wait for the rest. */
const beginRequest = async ({ listen }: LogLine, ca: string): Promise<TLSSocket> => {
  const socket = connect({ host: '127.0.0.1', port: portOf(listen), ca });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  await new Promise((sent) => socket.write('POST /validate HTTP/1.1\r\nHost: localhost\r\n', sent));
  return socket;
};

const decisions = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => {
    const { operation, decision, findings } = JSON.parse(line) as AuditRecord;
    return [operation, decision, ...findings.map(({ rule }) => rule)].join(' ');
  });

const stop = async (running: Running): Promise<number | null> => {
  running.process.kill('SIGTERM');
  return running.ended;
};

// Drains are short here: there is no load balancer to wait for.
const QUICK = ['--config', write('quick.yaml', 'drain: { delayMs: 0, timeoutMs: 30000 }\n')];

describe('podrail serve', { timeout: 120_000 }, () => {
  it('answers over TLS with a certificate of its own, records denials alone on standard output, and ends with 0', async () => {
    const running = serve(...QUICK, ...CLUSTER, '--ca-out', folder);
    const started = await running.logged('serving');
    assert.equal(started.caFile, inFolder('ca.crt'));
    const ca = readFileSync(inFolder('ca.crt'), 'utf8');
    assert.deepEqual(
      [
        await post(started, ca, body('resize')),
        await post(started, ca, body('create'), '/mutate'),
        await post(started, ca, body('resize-200Mi')),
        await post(started, ca, body('resize-infeasible')),
      ],
      [true, true, false, false],
    );
    const ready = await fetch(`http://127.0.0.1:${portOf(started.adminListen)}/readyz`);
    assert.equal(ready.status, 200);
    assert.equal(await stop(running), 0);
    const lines = running.out().trimEnd().split('\n');
    assert.deepEqual(
      decisions(lines).filter((line) => line.includes('deny')),
      ['resize deny quantity-plausible quantity-plausible', 'resize deny resize-within-node'],
    );
    assert.deepEqual(
      running.log().map(({ msg }) => msg),
      ['serving', 'draining', 'ended'],
    );
  });

  it('uses the certificate of a folder', async () => {
    const authority = await createAuthority(new Date());
    const pair = await authority.issue([], new Date());
    write('tls.crt', pair.cert);
    write('tls.key', pair.key);
    const running = serve(...QUICK, '--tls-dir', folder);
    const started = await running.logged('serving');
    assert.equal(started.caFile, undefined);
    assert.equal(await post(started, authority.ca, body('resize')), true);
    assert.equal(await stop(running), 0);
  });

  it('removes the temporary folder of its CA when it ends', async () => {
    const running = serve(...QUICK);
    const { caFile = '' } = await running.logged('serving');
    assert.equal(existsSync(caFile), true);
    assert.equal(await stop(running), 0);
    assert.equal(existsSync(join(caFile, '..')), false);
  });

  it('opens the audit file again on SIGHUP', async () => {
    const file = inFolder('audit.log');
    const running = serve(...QUICK, '--ca-out', folder, '--audit-file', file, '--audit-level', 'all');
    const started = await running.logged('serving');
    const ca = readFileSync(inFolder('ca.crt'), 'utf8');
    await post(started, ca, body('resize'));
    await running.printed(1);
    renameSync(file, `${file}.old`);
    running.process.kill('SIGHUP');
    while (!existsSync(file)) await sleep(10);
    await post(started, ca, body('resize-200Mi'));
    assert.equal(await stop(running), 0);
    const linesIn = (path: string) => decisions(readFileSync(path, 'utf8').trimEnd().split('\n'));
    assert.deepEqual(linesIn(file), ['resize deny quantity-plausible quantity-plausible']);
    assert.equal(linesIn(`${file}.old`).length, 1);
  });

  it('waits for what is in flight, and ends with 1 at once on a second signal', async () => {
    const running = serve(...QUICK, '--ca-out', folder);
    const started = await running.logged('serving');
    const socket = await beginRequest(started, readFileSync(inFolder('ca.crt'), 'utf8'));
    running.process.kill('SIGTERM');
    await running.logged('draining');
    // Sooner it would be taken for the same signal, which npm and a terminal both deliver.
    await sleep(400);
    running.process.kill('SIGTERM');
    assert.equal(await running.ended, 1);
    socket.destroy();
  });

  it('takes a signal that comes twice in a moment for one', async () => {
    const running = serve(...QUICK);
    await running.logged('serving');
    running.process.kill('SIGINT');
    running.process.kill('SIGINT');
    assert.equal(await running.ended, 0);
  });

  it('weighs the baseline down, judges by another version, and reads its guardrails', async () => {
    const running = serve(
      ...QUICK,
      ...CLUSTER,
      '--ca-out',
      folder,
      '--mode',
      'warn',
      '--kubernetes-version',
      '1.35',
      '--guardrails',
      join(examples, 'guardrails'),
    );
    const started = await running.logged('serving');
    const ca = readFileSync(inFolder('ca.crt'), 'utf8');
    await post(started, ca, body('resize-200Mi'));
    await post(started, ca, body('resize-restarts'));
    const records = (await running.printed(2)).map((line) => JSON.parse(line) as AuditRecord);
    assert.equal(await stop(running), 0);
    assert.deepEqual(
      records.map(({ decision, kubernetes }) => [decision, kubernetes]),
      [
        ['warn', '1.35'],
        ['warn', '1.35'],
      ],
    );
    assert.deepEqual(
      records[1]?.findings.map(({ rule, guardrail }) => [rule, guardrail]),
      [['resize-restarts', 'warn-on-restarts']],
    );
  });
});

describe('podrail serve cannot begin', { timeout: 120_000 }, () => {
  const flags = ['--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];

  it('where its port is in use, and ends with 2', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    assert.deepEqual(run(['serve', ...flags, '--listen', `127.0.0.1:${port}`]), {
      code: 2,
      out: '',
      err: `podrail: cannot listen on 127.0.0.1:${port}: the address is in use; name another with --listen\n`,
    });
    other.close();
  });

  it('with mistakes in its configuration, each told in a line, and ends with 2', () => {
    const file = write('bad.yaml', 'onFault: never\nlisten: x\n');
    assert.deepEqual(run(['serve', ...flags, '--config', file]), {
      code: 2,
      out: '',
      err: `${file}:1:10 onFault must be one of deny, allow; it is "never"\n${file}:2:9 listen must be HOST:PORT or :PORT, such as 127.0.0.1:8443; it is "x"\n`,
    });
  });

  const mistakeOf = async (...args: readonly string[]): Promise<string> => {
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    addServe(program, recordedTerminal().terminal);
    try {
      await program.parseAsync(['serve', ...flags, ...args], { from: 'user' });
    } catch (error) {
      if (error instanceof UsageError || error instanceof CommanderError) return error.message;
      throw error;
    }
    throw new Error('it began');
  };

  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['with an unknown flag', ['--clustr', 'x'], "error: unknown option '--clustr'\n(Did you mean --cluster?)"],
    ['with a flag that lacks its value', ['--cluster'], "error: option '--cluster <file|dir>' argument missing"],
    [
      'with an argument too many',
      ['now'],
      "error: too many arguments for 'serve'. Expected 0 arguments but got 1: now.",
    ],
    [
      'with an address that is none',
      ['--listen', 'here'],
      "error: option '--listen <host:port>' argument 'here' is invalid. It must be HOST:PORT or :PORT, such as 127.0.0.1:8443.",
    ],
    [
      'with too few audit files',
      ['--audit-max-files', '1'],
      "error: option '--audit-max-files <count>' argument '1' is invalid. It must be a whole number of at least 2.",
    ],
    [
      'with a mode that is none',
      ['--mode', 'fix'],
      "error: option '--mode <mode>' argument 'fix' is invalid. Allowed choices are enforce, warn, audit, off.",
    ],
    ['without its configuration', ['--config', inFolder('none.yaml')], `${inFolder('none.yaml')} does not exist`],
    ['without the cluster', ['--cluster', inFolder('none.yaml')], `${inFolder('none.yaml')} does not exist`],
    [
      'without a certificate in the folder',
      ['--tls-dir', inFolder('none')],
      `podrail: ${inFolder('none/tls.crt')} must be a readable file; there is none`,
    ],
    [
      'where the CA cannot be written',
      ['--ca-out', join(write('file', ''), 'ca')],
      `podrail: the CA cannot be written to ${inFolder('file/ca')}, which is not in a folder; name another folder with --ca-out`,
    ],
    [
      'where the audit file cannot be written',
      ['--audit-file', inFolder('none/audit.log')],
      `podrail: audit file "${inFolder('none/audit.log')}" has no directory; make "${inFolder('none')}" or name another file`,
    ],
    [
      'on an address that is not of this machine',
      ['--admin-listen', '192.0.2.1:0'],
      'podrail: cannot listen on 192.0.2.1:0: this machine has no such address; name another with --admin-listen',
    ],
  ];
  for (const [what, args, message] of cases) {
    it(what, async () => assert.equal(await mistakeOf(...args), message));
  }
});

describe('the configuration of podrail serve', () => {
  const { terminal } = recordedTerminal();
  const file = write('some.yaml', 'onFault: allow\nnamespace: rails\naudit: { level: all }\nlisten: :1\n');

  it('has the defaults where nothing is set', () => {
    assert.deepEqual(toConfig({}, terminal), DEFAULTS);
  });

  it('takes the namespace from the pod that podrail runs in', () => {
    assert.deepEqual(toConfig({}, { ...terminal, podNamespace: 'podrail' }), { ...DEFAULTS, namespace: 'podrail' });
  });

  it('is the flags over the file over the defaults', () => {
    const listen = { host: undefined, port: 2 };
    assert.deepEqual(toConfig({ config: file, listen, mode: 'audit' }, { ...terminal, podNamespace: 'podrail' }), {
      ...DEFAULTS,
      onFault: 'allow',
      namespace: 'rails',
      auditLevel: 'all',
      listen,
      baselineMode: 'audit',
    });
  });

  it('is, with --example, the file over the example: this machine only, and a record of everything', () => {
    const { listen, adminListen, auditLevel, cluster } = toConfig({ config: file, example: true }, terminal);
    assert.deepEqual(
      { listen, adminListen, auditLevel, cluster },
      {
        listen: { host: undefined, port: 1 },
        adminListen: { host: '127.0.0.1', port: 8080, orAny: true },
        auditLevel: 'all',
        cluster: ['examples/cluster.yaml'],
      },
    );
  });
});
