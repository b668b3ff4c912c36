// Every way that kubectl has to ask for a pod, or for another size of one: the same request gets the same verdict, the same
// words and the same record, whichever way it comes.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ask } from './api-client.ts';
import type { Cluster } from './cluster.ts';
import { createNode, runOn } from './kubelet-stand-in.ts';
import type { Said } from './people.ts';
import { createPod, podOf, podsPath, resizePod, untilCached } from './pods.ts';
import { type AuditLine, type Podrail, registerPodrail, startPodrail } from './podrail.ts';
import { clusterForSuite } from './suite-cluster.ts';

/** A command line, and its input. */
interface Way {
  readonly command: string;
  readonly input?: object;
  /** A dry run is recorded as one. */
  readonly isDryRun?: boolean;
}

const container = (cpu: string): object => ({ name: 'app', resources: { requests: { cpu } } });
const spec = (cpu: string): object => ({ containers: [{ ...container(cpu), image: 'app' }] });

const named = podOf('web', spec('2000'));
const unnamed = { ...named, metadata: { generateName: 'web-' } };

const WAYS_TO_CREATE: readonly Way[] = [
  { command: 'kubectl create -f -', input: named },
  { command: 'kubectl create -f -', input: unnamed },
  { command: 'kubectl create --dry-run=server -f -', input: named, isDryRun: true },
  { command: 'kubectl apply -f -', input: named },
  { command: 'kubectl apply --dry-run=server -f -', input: named, isDryRun: true },
  { command: 'kubectl apply --server-side -f -', input: named },
  { command: 'kubectl apply --server-side --dry-run=server -f -', input: named, isDryRun: true },
  { command: `kubectl run web --image=app --overrides='${JSON.stringify({ spec: spec('2000') })}'` },
  { command: 'kubectl replace --force -f -', input: named },
];

interface Stored {
  readonly spec: { readonly containers: readonly object[] };
}

/** The ways to resize the pod `sized` to so much cpu; it is stored with 50m. */
function waysToResize(cpu: string, stored: object): readonly Way[] {
  const patch = JSON.stringify({ spec: { containers: [container(cpu)] } });
  const operation = [{ op: 'replace', path: '/spec/containers/0/resources/requests/cpu', value: cpu }];
  const applied = podOf('sized', { containers: [container(cpu)] });
  const whole = JSON.parse(JSON.stringify(stored).replaceAll('"cpu":"50m"', `"cpu":"${cpu}"`)) as Stored;
  // A merge patch replaces the whole list.
  const merge = JSON.stringify({ spec: { containers: whole.spec.containers } });
  const ways: readonly Way[] = [
    { command: `kubectl patch pod sized --subresource resize --patch '${patch}'` },
    { command: `kubectl patch pod sized --subresource resize --type merge --patch '${merge}'` },
    { command: `kubectl patch pod sized --subresource resize --type json --patch '${JSON.stringify(operation)}'` },
    { command: 'kubectl apply --server-side --force-conflicts --subresource resize -f -', input: applied },
    { command: 'kubectl replace --subresource resize -f -', input: whole },
  ];
  return [
    ...ways,
    ...ways.map(({ command, ...way }) => ({ ...way, command: `${command} --dry-run=server`, isDryRun: true })),
    // It leaves what was refused in a temporary file, for another try.
    {
      command: `TMPDIR=. KUBE_EDITOR='sed -i "s/cpu: 50m/cpu: \\"${cpu}\\"/"' kubectl edit pod sized --subresource resize`,
    },
  ];
}

/** What each way should come to: the words, and the record. */
interface Outcome {
  readonly says: readonly string[];
  readonly isRefused: boolean;
  readonly record: object;
}

describe('the same request, whichever way it comes', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let podrail: Podrail;
  // What podrail should have recorded, in order.
  const expected: object[] = [];

  before(async () => {
    cluster = started();
    await createNode(cluster.admin, 'n1', { cpu: '2', memory: '3840Mi', pods: '110' });
    assert.equal((await createPod(cluster.admin, 'neighbour', spec('1600m'))).code, 201);
    await runOn(cluster.admin, 'n1', 'neighbour');
    podrail = await startPodrail(cluster);
    await registerPodrail(cluster, podrail);
    assert.equal((await createPod(cluster.tenant, 'sized', spec('50m'))).code, 201);
    await runOn(cluster.admin, 'n1', 'sized');
  });

  // Without its resourceVersion, which an earlier way may have outdated.
  const stored = async (): Promise<object> => {
    const { body } = await ask(cluster.tenant, 'GET', podsPath('sized'));
    return { ...body, metadata: { ...(body['metadata'] as object), resourceVersion: undefined } };
  };

  const compare = async (ways: readonly Way[], { says, isRefused, record }: Outcome): Promise<void> => {
    for (const { command, input, isDryRun = false } of ways) {
      await untilCached(cluster.tenant, podsPath('sized'));
      const said = await cluster.tenant.run(command, input === undefined ? '' : JSON.stringify(input));
      const got = { code: said.code, says: wordsOf(said) };
      assert.deepEqual(got, { code: isRefused ? 1 : 0, says }, `${command}\n${said.out}${said.err}`);
      expected.push({ ...record, dryRun: isDryRun });
      if (isRefused || isDryRun) continue;
      const { code, body } = await resizePod(cluster.admin, 'sized', spec('50m'));
      assert.equal(code, 200, JSON.stringify(body));
    }
  };

  it('a pod is refused', async () => {
    const message = 'container "app" must request at most 1024 cpu; 2k is 2000 cpu, did you mean 2000m?';
    const finding = {
      rule: 'quantity-plausible',
      guardrail: 'baseline',
      mode: 'enforce',
      path: 'spec.containers[0].resources.requests[cpu]',
      actual: '2k',
      bound: '1024',
      message,
    };
    const record = { decision: 'deny', operation: 'create', user: 'dev-lee', changes: [], findings: [finding] };
    const says = ['admission webhook "pods.podrail.dev" denied the request: [quantity-plausible] ' + message];
    await compare(WAYS_TO_CREATE, { says, isRefused: true, record });
  });

  it('a resize is refused', async () => {
    const message = 'pod "sized" must request at most 2 cpu to fit node "n1"; it requests 64';
    await compare(waysToResize('64', await stored()), {
      says: ['admission webhook "resize-attempt.podrail.dev" denied the request: [resize-within-node] ' + message],
      isRefused: true,
      record: resizeRecord('deny', '64', 'resize-within-node', 'enforce', '2', message),
    });
  });

  it('a resize is warned about', async () => {
    const message =
      'pod "sized" must request at most 400m cpu to fit node "n1" now; it requests 500m, so the resize waits';
    await compare(waysToResize('500m', await stored()), {
      says: [`Warning: [resize-fits-now] ${message}`],
      isRefused: false,
      record: resizeRecord('warn', '500m', 'resize-fits-now', 'warn', '400m', message),
    });
  });

  it('is recorded once each time, in the same words', async () => {
    // What it still has to write is written when it ends.
    await podrail.stop();
    assert.deepEqual((await podrail.records()).map(toCompared), expected);
  });
});

const PATH = 'spec.containers[0].resources.requests[cpu]';

function resizeRecord(
  decision: string,
  cpu: string,
  rule: string,
  mode: string,
  bound: string,
  message: string,
): object {
  return {
    decision,
    operation: 'resize',
    user: 'dev-lee',
    changes: [{ container: 'app', kind: 'main', path: PATH, from: '50m', to: cpu }],
    findings: [{ rule, guardrail: 'baseline', mode, path: PATH, actual: cpu, bound, message }],
  };
}

/** podrail's words in what kubectl prints, without the record id: each way puts words of its own around them. */
function wordsOf({ err }: Said): readonly string[] {
  return err.split('\n').flatMap((line) => /admission webhook .*|Warning: .*/.exec(line)?.[0] ?? []);
}

function toCompared({ decision, operation, user, changes, findings, dryRun }: AuditLine): object {
  return { decision, operation, user: user.name, changes, findings, dryRun };
}
