// `podrail serve` reads its guardrails again while it answers: not one request fails, and no mistake comes into force.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, it } from 'node:test';
import { mountFiles } from './mounted-files.ts';
import { serve } from './running.ts';

const folder = mkdtempSync(join(tmpdir(), 'podrail-serve-guardrails-'));
after(() => rmSync(folder, { recursive: true }));
const REVIEW = readFileSync(join(import.meta.dirname, '../../examples/reviews/resize.json'), 'utf8');

const guardrail = (rules: string): string =>
  `apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: ours }\nspec: { rules: { ${rules} } }\n`;
const NOTHING = '# nothing yet\n';
const FROZEN = guardrail('resize-frozen: { reason: later }');
const MISTAKE = guardrail('resize-frosen: { reason: later }');

it('guardrails change under load, each change comes into force, and every request is answered', {
  timeout: 120_000,
}, async () => {
  const mounted = mountFiles(mkdtempSync(join(folder, 'guardrails-')), ['ours.yaml']);
  mounted.replace([NOTHING]);
  // There is no load balancer to wait for at the end.
  const quick = join(folder, 'quick.yaml');
  writeFileSync(quick, 'drain: { delayMs: 0 }\n');
  const running = serve('--config', quick, '--guardrails', mounted.folder, '--ca-out', folder);
  const { listen, adminListen } = await running.logged('serving');
  const agent = new Agent({ keepAlive: true, maxSockets: 4, ca: readFileSync(join(folder, 'ca.crt')) });
  const metric = async (name: string): Promise<number> => {
    const metrics = await (await fetch(`http://127.0.0.1:${portOf(adminListen)}/metrics`)).text();
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1]);
  };
  const IS_CURRENT = 'podrail_guardrails_last_reload_successful';

  // Each client sends one request after the other; whoever waits for an answer is told of it.
  let wanted: { readonly answer: boolean; readonly resolve: () => void } | undefined;
  const until = (answer: boolean): Promise<void> => new Promise((resolve) => (wanted = { answer, resolve }));
  let isOver = false;
  const load = async (): Promise<readonly boolean[]> => {
    const answers: boolean[] = [];
    while (!isOver) {
      const answer = await isAllowed(portOf(listen), agent);
      if (answer !== answers.at(-1)) answers.push(answer);
      if (wanted?.answer === answer) wanted.resolve();
    }
    return answers;
  };
  const clients = Promise.all([load(), load(), load(), load()]);

  await until(true);
  assert.equal(await metric(IS_CURRENT), 1);
  mounted.replace([FROZEN]);
  await until(false);
  mounted.replace([MISTAKE]);
  const mistake = await running.logged('the guardrails have mistakes; the last good ones stay in use');
  assert.deepEqual((mistake as unknown as { readonly mistakes: readonly string[] }).mistakes, [
    `${join(mounted.folder, 'ours.yaml')}:4:18 unknown rule resize-frosen; did you mean resize-frozen?`,
  ]);
  assert.equal(await isAllowed(portOf(listen), agent), false);
  assert.equal(await metric(IS_CURRENT), 0);
  mounted.replace([NOTHING]);
  await until(true);
  assert.equal(await metric(IS_CURRENT), 1);

  isOver = true;
  // Nothing else came into force in between.
  for (const answers of await clients) assert.deepEqual(answers, [true, false, true].slice(0, answers.length));
  agent.destroy();
  running.process.kill('SIGTERM');
  assert.equal(await running.ended, 0);
});

function portOf(address: string | undefined): number {
  return Number(address?.split(':').at(-1));
}

/** Posts a resize. Throws when it is not answered as a review. */
async function isAllowed(port: number, agent: Agent): Promise<boolean> {
  const answered = await new Promise<AsyncIterable<Uint8Array>>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    request({ host: '127.0.0.1', port, path: '/validate', method: 'POST', headers, agent }, resolve)
      .on('error', reject)
      .end(REVIEW);
  });
  const { response } = JSON.parse(await text(answered)) as { readonly response: { readonly allowed: boolean } };
  return response.allowed;
}
