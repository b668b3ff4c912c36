// One verdict, however it is asked for: every fixture and every case through `check`, `resize` and `replay`, and over HTTP as `serve` answers.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Command } from 'commander';
import request from 'supertest';
import { parse } from 'yaml';
import type { Phase } from '../src/admission/request.ts';
import { review, type ReviewContext } from '../src/admission/review.ts';
import { addCheck } from '../src/commands/check.ts';
import { readDecisionFiles } from '../src/commands/decision-files.ts';
import { replay } from '../src/commands/replay.ts';
import { resize } from '../src/commands/resize.ts';
import { toTrialContext } from '../src/commands/trial-context.ts';
import { createBaseline } from '../src/guardrails/baseline.ts';
import type { JsonObject } from '../src/model/json-fields.ts';
import { type KubernetesVersion, parseKubernetesVersion, toVersionText } from '../src/model/kubernetes-version.ts';
import type { Requester } from '../src/rules/facts.ts';
import { RULES } from '../src/rules/index.ts';
import type { ResizeReport } from '../src/trial/resize-report.ts';
import { asSent } from '../src/trial/as-sent.ts';
import { requesterOf } from '../src/trial/requester.ts';
import { type Trial, tryCreate, tryResize } from '../src/trial/trial.ts';
import { reviewOf } from './admission/reviewing.ts';
import { type Recorded, recordedTerminal } from './commands/recorded-terminal.ts';
import { ca, type Serving, serving } from './http/serving.ts';
import { type Fixture, fixturesOf, sentPod } from './rules/read-fixture.ts';

/** What a request is judged in, as the flags of a command say it. */
interface Circumstances {
  readonly version: KubernetesVersion;
  readonly now: Date;
  readonly guardrails: readonly string[];
  readonly cluster: readonly string[];
}

interface Response {
  readonly allowed: boolean;
  readonly status?: { readonly message: string };
  readonly warnings?: readonly string[];
  readonly patch?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'podrail-agreement-'));
const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
let served: Serving | undefined;
let stop = (): void => undefined;
let context: ReviewContext | undefined;

before(async () => {
  await new Promise<void>((started) => {
    const isOver = new Promise<void>((resolve) => {
      stop = resolve;
    });
    void serving({ answer: (text, phase) => review(text, phase, context ?? assert.fail()).body }, async (one) => {
      served = one;
      started();
      await isOver;
    });
  });
});
after(() => {
  agent.destroy();
  stop();
  rmSync(folder, { recursive: true });
});

let files = 0;
function write(json: unknown): string {
  const file = join(folder, `${(files += 1)}.json`);
  writeFileSync(file, JSON.stringify(json));
  return file;
}

/** In the namespace that the cases have podrail run in. */
function terminalWith(input: string): Recorded {
  const recorded = recordedTerminal(input);
  return { ...recorded, terminal: { ...recorded.terminal, podNamespace: OWN_NAMESPACE } };
}

const OWN_NAMESPACE = 'resize-guard';

function contextOf({ version, now, guardrails, cluster }: Circumstances): ReviewContext {
  return toTrialContext(
    readDecisionFiles(createBaseline('enforce'), guardrails, cluster, now),
    version,
    () => now,
    OWN_NAMESPACE,
  );
}

/** Without the record that an answer is kept as. */
function comparable({ allowed, status, warnings = [], patch }: Response) {
  const lines = status?.message.split('\n') ?? [];
  const denials = lines.filter((line) => !line.startsWith('podrail recorded this as '));
  return { allowed, denials, warnings, patch };
}

async function overHttp(body: unknown, phase: Phase): Promise<Response> {
  const sent = request(served?.url ?? '')
    .post(`/${phase}`)
    .agent(agent)
    .ca(ca);
  const { body: answer } = await sent.set('Content-Type', 'application/json').send(JSON.stringify(body));
  return (answer as { readonly response: Response }).response;
}

function replayed(body: unknown, phase: Phase, circumstances: Circumstances): Response {
  const { terminal, out } = terminalWith(JSON.stringify(body));
  const { version: kubernetesVersion, ...flags } = circumstances;
  replay('-', { ...flags, kubernetesVersion, phase }, terminal);
  return (JSON.parse(out()) as { readonly response: Response }).response;
}

/** `podrail resize` with the whole pod that is asked for, or with a strategic merge patch. */
function resizedByCommand(
  stored: unknown,
  asked: { readonly pod: unknown } | { readonly patch: unknown },
  who: Requester,
  circumstances: Circumstances,
): ResizeReport {
  const { terminal, out } = terminalWith(JSON.stringify(stored));
  const { version: kubernetesVersion, ...flags } = circumstances;
  const isPod = 'pod' in asked;
  const patch = JSON.stringify(isPod ? [{ op: 'replace', path: '', value: asked.pod }] : asked.patch);
  const requester = { user: who.name, group: who.groups };
  const type = isPod ? 'json' : 'strategic';
  resize('-', { ...flags, ...requester, kubernetesVersion, patch, type, output: 'json' }, terminal);
  return JSON.parse(out()) as ResizeReport;
}

interface Checked {
  readonly code: number | undefined;
  readonly said: readonly string[];
  readonly rules: readonly string[];
}

/** `podrail check` of one pod: what is said of it at which level. */
function checked(pod: unknown, who: Requester, { version, now, guardrails, cluster }: Circumstances): Checked {
  const { terminal, out, code } = terminalWith(JSON.stringify(pod));
  const program = new Command().exitOverride();
  addCheck(program, terminal);
  const flags = [
    ...guardrails.flatMap((file) => ['--guardrails', file]),
    ...cluster.flatMap((file) => ['--cluster', file]),
    ...who.groups.flatMap((group) => ['--group', group]),
  ];
  const at = ['--kubernetes-version', toVersionText(version), '--now', now.toISOString(), '--user', who.name];
  program.parse(['check', '-', '--output', 'json', ...flags, ...at], { from: 'user' });
  const { findings } = JSON.parse(out()) as { readonly findings: readonly CheckFinding[] };
  return {
    code: code(),
    said: findings
      .map(({ level, rule, message }) => `[${rule}] ${level === 'fixed' ? 'fixed: ' : ''}${message}`)
      .sort(),
    rules: [...new Set(findings.map(({ rule }) => rule))].sort(),
  };
}

interface CheckFinding {
  readonly level: 'error' | 'warning' | 'fixed' | 'audit';
  readonly rule: string;
  readonly message: string;
}

/** As the API server writes a pod, `check` says the same words. Of a manifest it also judges what the API server makes no longer visible. */
function assertChecked(pod: JsonObject, trial: Trial, who: Requester, circumstances: Circumstances): void {
  const expected = [...trial.denials, ...trial.warnings].sort();
  const exit = trial.allowed ? 0 : 1;
  const { code, said, rules } = checked(asSent(pod, circumstances.version), who, circumstances);
  assert.deepEqual({ code, said }, { code: exit, said: expected }, 'check');
  const written = checked(pod, who, circumstances);
  const more = written.rules.filter((rule) => !rules.includes(rule));
  assert.deepEqual([...rules, ...more].sort(), written.rules, 'check of what is written');
  assert.deepEqual(
    more.filter((rule) => rule !== 'quantity-valid' && rule !== 'quantity-plausible'),
    [],
    'check of what is written',
  );
  if (!more.includes('quantity-valid')) assert.equal(written.code, exit, 'check of what is written');
}

async function assertOneAnswer(body: unknown, phase: Phase, circumstances: Circumstances): Promise<Response> {
  context = contextOf(circumstances);
  const answer = await overHttp(body, phase);
  assert.deepEqual(comparable(replayed(body, phase, circumstances)), comparable(answer), `${phase}: replay and serve`);
  return answer;
}

/** Both phases of a trial, each of which serve and replay must answer alike; and what they come to together. */
async function assertTrial(trial: Trial, circumstances: Circumstances): Promise<void> {
  const answers: Response[] = [];
  for (const { review: body, phase } of trial.phases) answers.push(await assertOneAnswer(body, phase, circumstances));
  const all = answers.map(comparable);
  assert.deepEqual(
    [...new Set([...trial.denials, ...trial.warnings])].sort(),
    [...new Set(all.flatMap(({ denials, warnings }) => [...denials, ...warnings]))].sort(),
    'what is said',
  );
}

const asPod = (json: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', ...json });

function circumstancesOf(fixture: Fixture, rule: string): Circumstances {
  const guardrail = {
    apiVersion: 'podrail.dev/v1alpha1',
    kind: 'Guardrail',
    metadata: { name: 'fixture' },
    spec: { rules: { [rule]: fixture.settings } },
  };
  return {
    version: parseKubernetesVersion(fixture.version) ?? assert.fail(),
    now: new Date(fixture.now),
    guardrails: [write(guardrail)],
    cluster: [
      write({
        apiVersion: 'v1',
        kind: 'List',
        items: [...fixture.nodes, ...fixture.namespaces, ...fixture.pods, ...fixture.autoscalers],
      }),
    ],
  };
}

let passed = 0;

async function assertFixture(fixture: Fixture, rule: string): Promise<void> {
  const circumstances = circumstancesOf(fixture, rule);
  const requester = requesterOf({ user: fixture.requester.name, groups: fixture.requester.groups });
  const setting = { context: contextOf(circumstances), requester };
  const asked = asPod(sentPod(fixture));
  const stored = asPod(fixture.pod);
  if (fixture.scope === 'update') {
    const body = reviewOf({ operation: 'UPDATE', object: asked, oldObject: stored, userInfo: { username: 'dev-lee' } });
    for (const phase of ['mutate', 'validate'] as const) await assertOneAnswer(body, phase, circumstances);
  } else if (fixture.scope === 'create') {
    const trial = tryCreate(asked, setting);
    await assertTrial(trial, circumstances);
    if (trial.judged) assertChecked(asked, trial, requester, circumstances);
  } else {
    const trial = tryResize(stored, asked, setting);
    await assertTrial(trial, circumstances);
    const { allowed, denials, warnings, passing } = resizedByCommand(stored, { pod: asked }, requester, circumstances);
    assert.deepEqual(
      { allowed, denials, warnings },
      { allowed: trial.allowed, denials: trial.denials, warnings: trial.warnings },
    );
    if (passing === null) return;
    assert.equal(
      resizedByCommand(stored, { patch: passing }, requester, circumstances).allowed,
      true,
      'what would pass',
    );
    passed += 1;
  }
}

for (const { id } of RULES) {
  describe(`the fixtures of ${id} get one verdict`, () => {
    for (const { name, fixture } of fixturesOf(id)) {
      it(name.replaceAll('-', ' '), () => assertFixture(fixture, id));
    }
  });
}

it('a patch that would pass is named for many a refused resize', () => assert.ok(passed >= 40, `${passed}`));

interface Case {
  readonly review: {
    readonly request: {
      readonly subResource?: string;
      readonly operation: string;
      readonly userInfo: { readonly username: string; readonly groups?: readonly string[] };
      readonly object: JsonObject;
      readonly oldObject: JsonObject | null;
    };
  };
  readonly context: {
    readonly kubernetesVersion: string;
    readonly phase: Phase;
    readonly now: string;
    readonly nodes?: readonly unknown[];
    readonly pods?: readonly unknown[];
    readonly horizontalPodAutoscalers?: readonly object[];
  };
  readonly expect: { readonly allowed: boolean };
}

function autoscalersOf({ horizontalPodAutoscalers = [] }: Case['context']): readonly object[] {
  return horizontalPodAutoscalers.map((own) => ({ ...AUTOSCALER, ...own }));
}

// The cases leave out what every one of them is.
const AUTOSCALER = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' };

const CASES = join(import.meta.dirname, 'cases');
const JUDGED = (
  parse(readFileSync(join(CASES, 'verdicts.yaml'), 'utf8')) as {
    readonly judged: Record<string, { readonly guardrail?: string; readonly denial?: readonly string[] } | null>;
  }
).judged;

describe('a case that people really had gets one verdict', () => {
  for (const file of readdirSync(CASES).filter((name) => name.endsWith('.json'))) {
    const name = file.slice(0, -'.json'.length);
    const verdict = JUDGED[name];
    if (verdict === undefined) continue;
    it(name, async () => {
      const { review: body, context: at, expect } = JSON.parse(readFileSync(join(CASES, file), 'utf8')) as Case;
      const circumstances: Circumstances = {
        version: parseKubernetesVersion(at.kubernetesVersion) ?? assert.fail(),
        now: new Date(at.now),
        guardrails: verdict?.guardrail === undefined ? [] : [join(CASES, 'guardrails', verdict.guardrail)],
        cluster: [
          write({
            apiVersion: 'v1',
            kind: 'List',
            items: [...(at.nodes ?? []), ...(at.pods ?? []), ...autoscalersOf(at)],
          }),
        ],
      };
      const answer = await assertOneAnswer(body, at.phase, circumstances);
      assert.equal(answer.allowed, expect.allowed);
      const { subResource = '', operation, object, oldObject, userInfo } = body.request;
      const who = { name: userInfo.username, groups: userInfo.groups ?? [] };
      if (operation === 'CREATE' && subResource === '' && at.phase === 'validate') {
        assert.equal(checked(asPod(object), who, circumstances).code, expect.allowed ? 0 : 1, 'check');
      }
      if (subResource !== 'resize' || oldObject === null) return;
      const { allowed, denials } = resizedByCommand(asPod(oldObject), { pod: asPod(object) }, who, circumstances);
      assert.equal(allowed, expect.allowed, 'resize');
      assert.deepEqual(denials, verdict?.denial ?? [], 'resize');
    });
  }
});
