// A tenant's Deployment, of which the real controllers make pods, the real scheduler binds them and a real kubelet runs them: what
// podrail does to these pods, and where a tenant reads why there are none.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { startControllerManager, startScheduler } from './controllers.ts';
import { startKubelet } from './kubelet.ts';
import { type AuditLine, type Podrail, registerPodrail, startPodrail } from './podrail.ts';
import { reasonToSkip } from './programs.ts';
import { clusterForSuite } from './suite-cluster.ts';
import { withoutRecordId } from './told.ts';

const skip = await reasonToSkip(['kube-controller-manager', 'kube-scheduler', 'kubelet']);

const BOTH = [
  { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  { resourceName: 'memory', restartPolicy: 'NotRequired' },
];

describe('a Deployment', { skip }, () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let podrail: Podrail;

  before(async () => {
    cluster = started();
    startControllerManager(cluster);
    startScheduler(cluster);
    await startKubelet(cluster);
    podrail = await startPodrail(cluster);
    await registerPodrail(cluster, podrail);
  });

  const read = async (what: string): Promise<List> =>
    JSON.parse(await cluster.tenant.must(`kubectl get ${what} --output json`)) as List;
  const until = async <Value>(look: () => Promise<Value | undefined>): Promise<Value> => {
    for (;;) {
      const value = await look();
      if (value !== undefined) return value;
      await sleep(200);
    }
  };

  it('becomes pods that are injected, bound and Running', async () => {
    await cluster.tenant.must('kubectl apply -f -', deployment('web', '100m'));
    await cluster.tenant.must('kubectl rollout status deployment/web --timeout=120s');
    // A kubelet says Ready a moment before it says Running.
    await cluster.tenant.must(
      'kubectl wait pods --selector app=web --for=jsonpath={.status.phase}=Running --timeout=60s',
    );
    const { items } = await read('pods --selector app=web');
    assert.deepEqual(
      items.map(({ spec, status }) => [spec.nodeName, status.phase, spec.containers[0]?.resizePolicy]),
      [
        ['n1', 'Running', BOTH],
        ['n1', 'Running', BOTH],
      ],
    );
  });

  it('whose template a rule refuses has no pods, and its conditions and events say why', async () => {
    await cluster.tenant.must('kubectl apply -f -', deployment('slip', '200Mi'));
    const failure = async (what: string): Promise<string | undefined> => {
      const { items } = await read(`${what} --selector app=slip`);
      return items[0]?.status.conditions?.find(({ type }) => type === 'ReplicaFailure')?.message;
    };
    const event = async (): Promise<string | undefined> => {
      const { items } = await read('events --field-selector reason=FailedCreate,involvedObject.kind=ReplicaSet');
      return items[0]?.message;
    };
    const told = [
      await until(() => failure('replicasets')),
      await until(() => failure('deployments')),
      await until(event),
    ];
    const words = `admission webhook "pods.podrail.dev" denied the request: [quantity-plausible] container "app" must request at most 1024 cpu; 200Mi is 209715200 cpu, did you mean 200m?\npodrail recorded this as ID`;
    assert.deepEqual(told.map(withoutRecordId), [words, words, `Error creating: ${words}`]);
    assert.deepEqual((await read('pods --selector app=slip')).items, []);
  });

  it('is named as the owner of its pods where their creation or resize is recorded', async () => {
    const [pod] = (await read('pods --selector app=web')).items;
    const said = await cluster.tenant.run(
      `kubectl patch pod ${pod?.metadata.name} --subresource resize --patch '${toCpu('64')}'`,
    );
    assert.equal(
      withoutRecordId(said.err),
      `Error from server (Forbidden): admission webhook "resize-attempt.podrail.dev" denied the request: [resize-within-node] pod "${pod?.metadata.name}" must request at most 1 cpu to fit node "n1"; it requests 64\npodrail recorded this as ID\n`,
    );
    const records = await until(async () => {
      const all = (await podrail.records()) as readonly (AuditLine & Owned)[];
      return all.some(({ operation }) => operation === 'resize') ? all : undefined;
    });
    const owners = new Map(records.map(({ operation, user, pod: { owner } }) => [operation, [user.name, owner]]));
    const ownerOf = async (name: string): Promise<object> => {
      const [set] = (await read(`replicasets --selector app=${name}`)).items;
      return { kind: 'ReplicaSet', name: set?.metadata.name };
    };
    assert.deepEqual(
      owners,
      new Map([
        ['create', ['system:serviceaccount:kube-system:replicaset-controller', await ownerOf('slip')]],
        ['resize', ['dev-lee', await ownerOf('web')]],
      ]),
    );
  });
});

interface Item {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName?: string; readonly containers: readonly { readonly resizePolicy?: object }[] };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly message: string }[];
  };
  /** Of an Event. */
  readonly message?: string;
}

interface List {
  readonly items: readonly Item[];
}

interface Owned {
  readonly pod: { readonly owner: { readonly kind: string; readonly name: string } | null };
}

function toCpu(cpu: string): string {
  return JSON.stringify({ spec: { containers: [{ name: 'app', resources: { requests: { cpu } } }] } });
}

function deployment(name: string, cpu: string): string {
  const labels = { app: name };
  const container = { name: 'app', image: 'app', resources: { requests: { cpu, memory: '64Mi' } } };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
}
