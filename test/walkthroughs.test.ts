// Three introductions to in-place resize that people follow today, step by step, from body to response. What a tenant sees
// is shown in docs/walkthroughs.md, and this test holds that page to the words podrail really says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { createClusterView } from '../src/cluster/cluster-objects.ts';
import { readGuardrails } from '../src/guardrails/read-guardrails.ts';
import {
  contextOf,
  post,
  postBoth,
  type Reviewed,
  resizeReview,
  reviewOf,
  type Setting,
} from './admission/reviewing.ts';

const PAGE = readFileSync(new URL('../docs/walkthroughs.md', import.meta.url), 'utf8');
const VERSIONS = ['1.33', '1.34', '1.35', '1.36', '1.37'];

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels: { 'kubernetes.io/os': 'linux' } },
  status: { allocatable: { cpu: '2', memory: '3840Mi' } },
};
const NEIGHBOUR = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'neighbour', namespace: 'default', uid: 'neighbour' },
  spec: {
    nodeName: 'n1',
    containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '1600m', memory: '1Gi' } } }],
  },
};
const ALONE = createClusterView([NODE]);

function block(label: string): string | undefined {
  return new RegExp(`^\`\`\`\\w+ ${label}\\n([\\s\\S]*?)\\n\`\`\`$`, 'm').exec(PAGE)?.[1];
}

/** A fenced block of the page by its label, as lines; a version that has words of its own has a block of its own. */
function shown(label: string, version = ''): readonly string[] {
  const text = block(`${label}-${version}`) ?? block(label);
  assert.ok(text !== undefined, `docs/walkthroughs.md has no block "${label}"`);
  return text.split('\n');
}

function manifest(label: string): Record<string, unknown> {
  return parse(shown(label).join('\n')) as Record<string, unknown>;
}

interface Spec {
  containers: Record<string, unknown>[];
}

/** The pod as the API server stores it, on node n1. */
function stored(label: string): Record<string, unknown> & { spec: Spec } {
  const pod = structuredClone(manifest(label)) as Record<string, unknown> & { spec: Spec };
  return { ...pod, spec: { ...pod.spec, nodeName: 'n1' } as Spec };
}

/** The pod after a strategic merge patch of the resources of its first container. */
function patched(
  pod: Record<string, unknown> & { spec: Spec },
  resources: Record<string, Record<string, string>>,
): unknown {
  const resized = structuredClone(pod);
  const [container] = resized.spec.containers;
  assert.ok(container);
  const before = (container['resources'] ?? {}) as Record<string, Record<string, string>>;
  container['resources'] = {
    requests: { ...before['requests'], ...resources['requests'] },
    limits: { ...before['limits'], ...resources['limits'] },
  };
  return resized;
}

function create(pod: unknown, setting: Setting): Reviewed {
  const review = reviewOf({ object: pod, namespace: 'default' });
  const mutated = post(review, 'mutate', contextOf(setting));
  return { ...post(review, 'validate', contextOf(setting)), patch: mutated.patch };
}

function resize(label: string, resources: Record<string, Record<string, string>>, setting: Setting): Reviewed {
  const pod = stored(label);
  return postBoth(resizeReview(pod, patched(pod, resources), { namespace: 'default' }), contextOf(setting));
}

const denial = ({ response }: Reviewed): readonly string[] | undefined =>
  response.status?.message.split('\n').slice(0, -1);

const NOT_REQUIRED = [
  { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  { resourceName: 'memory', restartPolicy: 'NotRequired' },
];

for (const version of VERSIONS) {
  const alone: Setting = { version, cluster: ALONE };

  describe(`walk-through 1 on ${version}: nginx, resized twice`, () => {
    const cpu = { requests: { cpu: '300m' }, limits: { cpu: '500m' } };

    it('is created without a patch and without a word: both entries are there', () => {
      const { response, patch } = create(manifest('nginx'), alone);
      assert.deepEqual(
        { response: { ...response, uid: '' }, patch },
        { response: { uid: '', allowed: true }, patch: undefined },
      );
    });

    it('gets both entries, in the order cpu, memory, when it has none', () => {
      const pod = stored('nginx');
      delete (pod.spec.containers[0] as Record<string, unknown>)['resizePolicy'];
      assert.deepEqual(create(pod, alone).patch, [
        { op: 'add', path: '/spec/containers/0/resizePolicy', value: NOT_REQUIRED },
      ]);
    });

    it('may take more cpu when it fits, without a word', () => {
      const { response } = resize('nginx', cpu, alone);
      assert.deepEqual({ ...response, uid: '' }, { uid: '', allowed: true });
    });

    it('is warned when the resize must wait', () => {
      const { response } = resize(
        'nginx',
        { requests: { cpu: '450m' }, limits: { cpu: '500m' } },
        { version, cluster: createClusterView([NODE, NEIGHBOUR]) },
      );
      assert.deepEqual([response.allowed, response.warnings], [true, shown('nginx-waits')]);
    });

    it('is warned of the restart where an operator has set that', () => {
      const { guardrails } = readGuardrails(shown('restart-guardrail').join('\n'), 'restarts.yaml');
      const { response } = resize('nginx', { requests: { memory: '700Mi' } }, { ...alone, guardrails });
      assert.deepEqual([response.allowed, response.warnings], [true, shown('nginx-restarts')]);
    });

    it('is refused what the node can never hold, with the largest value that would pass', () => {
      const refused = resize('nginx', { requests: { cpu: '64' }, limits: { cpu: '64' } }, alone);
      assert.deepEqual(denial(refused), shown('nginx-too-much'));
      assert.deepEqual(
        refused.response.status?.details.causes.map(({ reason }) => reason),
        ['NodeCapacity'],
      );
    });
  });

  describe(`walk-through 2 on ${version}: a slip that everybody makes`, () => {
    it('is created as printed, and told that its resources are pod-level', () => {
      const { response } = create(manifest('test-pod-as-printed'), alone);
      assert.deepEqual([response.allowed, response.warnings], [true, shown('test-pod-as-printed-warning', version)]);
    });

    it('is created as meant, with its resizePolicy injected', () => {
      const { response, patch } = create(manifest('test-pod'), alone);
      assert.deepEqual([response.allowed, response.warnings], [true, undefined]);
      assert.deepEqual(patch, [{ op: 'add', path: '/spec/containers/0/resizePolicy', value: NOT_REQUIRED }]);
    });

    it('is refused 200Mi of cpu: what it means, what was probably meant, and both fields', () => {
      const refused = resize('test-pod', { limits: { cpu: '200Mi' }, requests: { cpu: '100Mi' } }, alone);
      assert.deepEqual(denial(refused), shown('test-pod-refused'));
    });
  });

  describe(`walk-through 3 on ${version}: WordPress with a database proxy`, () => {
    it('is created with resizePolicy in the container and in the sidecar, and two warnings', () => {
      const { response, patch } = create(manifest('wordpress'), alone);
      assert.deepEqual([response.allowed, response.warnings], [true, shown('wordpress-warnings')]);
      assert.deepEqual(patch, [
        { op: 'add', path: '/spec/containers/0/resizePolicy', value: NOT_REQUIRED },
        { op: 'add', path: '/spec/initContainers/0/resizePolicy', value: NOT_REQUIRED },
      ]);
    });

    for (const restartPolicy of ['Never', 'always']) {
      it(`with restartPolicy: ${restartPolicy} is refused in one line that says what makes a sidecar`, () => {
        const pod = manifest('wordpress') as { spec: { initContainers: [Record<string, unknown>] } };
        pod.spec.initContainers[0]['restartPolicy'] = restartPolicy;
        assert.deepEqual(denial(create(pod, alone)), shown(`wordpress-${restartPolicy}`, version));
      });
    }

    for (const [label, kind, restartPolicy] of [
      ['wordpress-in-containers', 'ReplicaSet', 'Always'],
      ['wordpress-in-a-job', 'Job', 'Never'],
    ] as const) {
      it(`with the proxy in containers, in a ${kind}, is told that a well-known sidecar is not native`, () => {
        const { metadata, spec } = manifest('wordpress') as { metadata: object; spec: Record<string, unknown[]> };
        const { containers = [], initContainers: [proxy] = [] } = spec;
        const { restartPolicy: _, ...container } = proxy as Record<string, unknown>;
        const ownerReferences = [{ apiVersion: 'batch/v1', kind, name: 'wordpress', controller: true }];
        const pod = {
          metadata: { ...metadata, ownerReferences },
          spec: { restartPolicy, containers: [...containers, container] },
        };
        const { response, patch } = create(pod, alone);
        assert.deepEqual([response.allowed, response.warnings], [true, shown(label)]);
        assert.deepEqual(patch, [
          { op: 'add', path: '/spec/containers/0/resizePolicy', value: NOT_REQUIRED },
          { op: 'add', path: '/spec/containers/1/resizePolicy', value: NOT_REQUIRED },
        ]);
      });
    }

    it('counts the sidecar in every sum when it is resized', () => {
      const pod = stored('wordpress') as ReturnType<typeof stored> & {
        spec: { initContainers: [Record<string, unknown>] };
      };
      const proxy = (cpu: string): unknown => ({
        requests: { cpu, memory: '64Mi' },
        limits: { cpu: '4', memory: '64Mi' },
      });
      pod.spec.initContainers[0]['resources'] = proxy('100m');
      const resized = structuredClone(pod);
      resized.spec.initContainers[0]['resources'] = proxy('1950m');
      const refused = postBoth(resizeReview(pod, resized, { namespace: 'default' }), contextOf(alone));
      assert.deepEqual(denial(refused), shown('wordpress-too-much'));
    });
  });
}
