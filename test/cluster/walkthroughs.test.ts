// The three walk-throughs of docs/walkthroughs.md, typed by a tenant who is no administrator, on a real API server: the
// page's manifests and commands, and its words as kubectl shows them.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Cluster } from './cluster.ts';
import { createNode, runOn } from './kubelet-stand-in.ts';
import { type ContainerManifest, command, manifest, type PodManifest, printed, shown } from './page.ts';
import type { Said } from './people.ts';
import { podsPath, untilCached } from './pods.ts';
import { type Podrail, registerPodrail, startPodrail } from './podrail.ts';
import { clusterForSuite } from './suite-cluster.ts';
import { recordTold, withoutRecordId } from './told.ts';

const NEIGHBOUR = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'neighbour', namespace: 'default' },
  spec: {
    containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '1600m', memory: '1Gi' } } }],
  },
};
const BOTH = [
  { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  { resourceName: 'memory', restartPolicy: 'NotRequired' },
];

describe('a tenant follows the walk-throughs', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let podrail: Podrail;
  let minor: string;
  // The record ids that the tenant was told, in order.
  const quoted: string[] = [];

  before(async () => {
    cluster = started();
    ({ minor } = cluster.kubernetes);
    await createNode(cluster.admin, 'n1', { cpu: '2', memory: '3840Mi', pods: '110' });
    // There before podrail, which knows nodes and pods from a snapshot.
    await cluster.admin.must('kubectl create -f -', JSON.stringify(NEIGHBOUR));
    await runOn(cluster.admin, 'n1', 'neighbour');
    const guardrails = join(cluster.place.folder, 'guardrails.yaml');
    await writeFile(guardrails, printed('restart-guardrail'));
    podrail = await startPodrail(cluster, ['--guardrails', guardrails]);
    await registerPodrail(cluster, podrail);
  });

  const type = async (commandLine: string, input?: string): Promise<Said> => {
    const said = await cluster.tenant.run(commandLine, input);
    const id = recordTold(said.err);
    if (id !== undefined) quoted.push(id);
    return said;
  };
  const apply = (pod: PodManifest): Promise<Said> => type('kubectl apply -f -', JSON.stringify(pod));
  const resize = async (pod: string, commandLine: string): Promise<Said> => {
    await untilCached(cluster.tenant, podsPath(pod));
    return type(commandLine);
  };
  const patch = (pod: string, container: string, resources: object, flags = ''): Promise<Said> =>
    resize(
      pod,
      `kubectl patch pod ${pod} --subresource resize ${flags} --patch '${JSON.stringify({ spec: { containers: [{ name: container, resources }] } })}'`,
    );
  // What Kubernetes itself accepts, so that the validating phase has the say.
  const isLeftToPodrail = (restartPolicy: string): boolean =>
    restartPolicy === 'Never' && !['1.33', '1.34'].includes(minor);
  // There is no kubelet that a deletion would have to wait for.
  const remove = (name: string): Promise<string> =>
    cluster.tenant.must(`kubectl delete pod ${name} --ignore-not-found --grace-period=0 --force`);
  const stored = async (name: string): Promise<PodManifest> =>
    JSON.parse(await cluster.admin.must(`kubectl get pod ${name} --output json`)) as PodManifest;
  const containersOf = ({ spec }: PodManifest): readonly ContainerManifest[] => [
    ...(spec.initContainers ?? []),
    ...spec.containers,
  ];

  // What kubectl prints of an answer of podrail, without the record id.
  const allowed = (out: string, warnings: readonly string[] = []): Said => ({
    code: 0,
    out: `${out}\n`,
    err: warnings.map((text) => `Warning: ${text}\n`).join(''),
  });
  const refused = (webhook: string, lines: readonly string[], doing = ''): Said => ({
    code: 1,
    out: '',
    err: `Error from server (Forbidden): ${doing}admission webhook "${webhook}" denied the request: ${lines.join('\n')}\npodrail recorded this as ID\n`,
  });
  // A resize is refused in the first phase, before Kubernetes could refuse it in its own words.
  const FIRST_PHASE = 'resize-attempt.podrail.dev';
  const withoutId = ({ code, out, err }: Said): Said => ({
    code,
    out,
    err: withoutRecordId(err),
  });

  describe('1: nginx, resized twice', () => {
    it('creates it without a word, and its two entries stay as they are', async () => {
      const pod = manifest('nginx');
      assert.deepEqual(await apply(pod), allowed('pod/nginx created'));
      assert.deepEqual((await stored('nginx')).spec.containers[0]?.resizePolicy, pod.spec.containers[0]?.resizePolicy);
      await runOn(cluster.admin, 'n1', 'nginx');
    });

    it('gives a pod without resizePolicy both entries, cpu first', async () => {
      const pod = manifest('nginx');
      const [container] = pod.spec.containers;
      delete container?.resizePolicy;
      const other = { ...pod, metadata: { ...pod.metadata, name: 'nginx-plain' } };
      assert.deepEqual(await apply(other), allowed('pod/nginx-plain created'));
      assert.deepEqual((await stored('nginx-plain')).spec.containers[0]?.resizePolicy, BOTH);
    });

    it('takes more cpu when it fits, without a word', async () => {
      assert.deepEqual(await resize('nginx', command('kubectl patch pod nginx ')), allowed('pod/nginx patched'));
    });

    it('says that a resize waits for what the neighbours hold', async () => {
      assert.deepEqual(
        await patch('nginx', 'nginx', { requests: { cpu: '450m' } }),
        allowed('pod/nginx patched', shown('nginx-waits', minor)),
      );
    });

    it('says that more memory restarts the container', async () => {
      assert.deepEqual(
        await patch('nginx', 'nginx', { requests: { cpu: '300m', memory: '700Mi' } }),
        allowed('pod/nginx patched', shown('nginx-restarts', minor)),
      );
    });

    for (const flags of ['', '--dry-run=server']) {
      it(`refuses what the node can never hold ${flags}`, async () => {
        const said = await patch('nginx', 'nginx', { requests: { cpu: '64' }, limits: { cpu: '64' } }, flags);
        assert.deepEqual(withoutId(said), refused(FIRST_PHASE, shown('nginx-too-much', minor)));
      });
    }
  });

  describe('2: a slip that everybody makes', () => {
    it('creates the pod as printed, and says that its resources are pod-level', async () => {
      const said = await apply(manifest('test-pod-as-printed'));
      // 1.33 drops pod-level resources before a validating webhook is asked.
      const warnings = minor === '1.33' ? [] : shown('test-pod-as-printed-warning', minor);
      assert.deepEqual(said, allowed('pod/test-pod created', warnings));
    });

    it('creates it as meant, with both entries injected', async () => {
      await remove('test-pod');
      assert.deepEqual(await apply(manifest('test-pod')), allowed('pod/test-pod created'));
      assert.deepEqual((await stored('test-pod')).spec.containers[0]?.resizePolicy, BOTH);
      await runOn(cluster.admin, 'n1', 'test-pod');
    });

    it('refuses 200Mi of cpu: what it means, what was probably meant, and both fields', async () => {
      const said = await resize('test-pod', command('kubectl patch pod test-pod '));
      assert.deepEqual(withoutId(said), refused(FIRST_PHASE, shown('test-pod-refused', minor)));
    });
  });

  describe('3: WordPress with a database proxy', () => {
    it('creates it with both entries in the container and in the sidecar, and two warnings', async () => {
      const said = await apply(manifest('wordpress'));
      assert.deepEqual(said, allowed('pod/test-wordpress-pod created', shown('wordpress-warnings', minor)));
      assert.deepEqual(
        containersOf(await stored('test-wordpress-pod')).map(({ resizePolicy }) => resizePolicy),
        [BOTH, BOTH],
      );
    });

    for (const restartPolicy of ['Never', 'always']) {
      it(`refuses restartPolicy: ${restartPolicy} on the proxy in one line`, async () => {
        await remove('test-wordpress-pod');
        const pod = manifest('wordpress');
        for (const container of pod.spec.initContainers ?? []) container.restartPolicy = restartPolicy;
        const said = await apply(pod);
        const words = shown(`wordpress-${restartPolicy}`, minor);
        if (isLeftToPodrail(restartPolicy)) {
          assert.deepEqual(withoutId(said), refused('pods.podrail.dev', words, 'error when creating "STDIN": '));
        } else {
          // Kubernetes refuses it (1.34 drops it) before a validating webhook is asked; ours stands beside its own words.
          assert.ok(said.err.includes(`Warning: ${words[0]}`), said.err);
        }
      });
    }

    it('counts the sidecar in every sum', async () => {
      await remove('test-wordpress-pod');
      const pod = manifest('wordpress');
      const proxy = (cpu: string): object => ({
        requests: { cpu, memory: '64Mi' },
        limits: { cpu: '4', memory: '64Mi' },
      });
      for (const container of pod.spec.initContainers ?? []) container.resources = proxy('100m');
      await apply(pod);
      await runOn(cluster.admin, 'n1', 'test-wordpress-pod');
      const resources = JSON.stringify({
        spec: { initContainers: [{ name: 'cloudsql-proxy', resources: proxy('1950m') }] },
      });
      const name = 'test-wordpress-pod';
      const said = await resize(name, `kubectl patch pod ${name} --subresource resize --patch '${resources}'`);
      assert.deepEqual(withoutId(said), refused(FIRST_PHASE, shown('wordpress-too-much', minor)));
    });
  });

  it("leaves the same ids in the API server's own audit log", async () => {
    const refusals = (await cluster.apiServer.auditEvents()).filter(
      ({ user, responseStatus }) => user.username === 'dev-lee' && responseStatus.code === 403,
    );
    const noted = refusals.map(({ annotations = {} }) =>
      Object.entries(annotations).flatMap(([key, value]) => (key.endsWith('.podrail.dev/record') ? [value] : [])),
    );
    assert.deepEqual(
      noted,
      quoted.map((id) => [id]),
    );
  });

  it('leaves one record of each denial, though two phases saw it, under the id that the tenant was told', async () => {
    // What it still has to write is written when it ends.
    await podrail.stop();
    const denials = (await podrail.records()).filter(({ decision }) => decision === 'deny');
    assert.deepEqual(
      denials.map(({ id, user, dryRun }) => ({ id, user: user.name, dryRun })),
      quoted.map((id, index) => ({ id, user: 'dev-lee', dryRun: index === 1 })),
    );
  });
});
