// The laws of mode fix, from body to response in both phases: what is asked is brought inside the bounds, and nothing else.
import { EMPTY_CLUSTER } from '../../src/admission/cluster-view.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import jsonpatch from 'jsonpatch';
import type { PatchOperation } from '../../src/model/json-patch.ts';
import type { Container } from '../../src/model/pod.ts';
import { allContainers } from '../../src/model/pod.ts';
import { compare } from '../../src/model/quantity.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { changesOf } from '../../src/model/resize.ts';
import { type ContainerBounds, containerBounds, leastOf, mostOf } from '../../src/rules/container-bounds.ts';
import { resourcePath } from '../../src/rules/message.ts';
import { guardrailOf, guardrailsOf, pod, type PodJson, resize, settings, sizes } from './arbitrary-request.ts';
import { contextOf, post, type Reviewed, resizeReview, reviewOf, type Setting } from './reviewing.ts';

const version = fc.constantFrom('1.33', '1.34', '1.35', '1.36', '1.37');
const RUNS = { numRuns: 200 };

/** A create, or a resize of `before`. */
interface Asked {
  readonly before: PodJson | undefined;
  readonly object: PodJson;
}

const asked: fc.Arbitrary<Asked> = fc.oneof(
  pod.map((object) => ({ before: undefined, object })),
  resize.map(([before, object]) => ({ before, object })),
);

function bodyOf({ before, object }: Asked): unknown {
  return before === undefined ? reviewOf({ object }) : resizeReview(before, object);
}

function patchOf({ patch }: Reviewed): readonly PatchOperation[] {
  return (patch ?? []) as readonly PatchOperation[];
}

function patched(object: PodJson, patch: readonly PatchOperation[]): PodJson {
  const json: unknown = jsonpatch.apply_patch(structuredClone(object), structuredClone([...patch]));
  return json as PodJson;
}

interface Shaped {
  readonly first: Reviewed;
  readonly patch: readonly PatchOperation[];
  readonly given: Asked;
}

function shaped(
  sent: Asked,
  version: string,
  own: readonly object[],
  more: Setting & { readonly match?: object } = {},
): Shaped {
  const first = post(
    bodyOf(sent),
    'mutate',
    contextOf({ ...more, version, guardrails: guardrailsOf(own, more.match) }),
  );
  const patch = patchOf(first);
  return { first, patch, given: { ...sent, object: patched(sent.object, patch) } };
}

describe('mode fix', () => {
  it('leaves a pod that every rule of Kubernetes holds for, where one was asked for', () => {
    fc.assert(
      fc.property(asked, version, settings, (sent, minor, own) => {
        const alone = contextOf({ version: minor });
        if (!post(bodyOf(sent), 'validate', alone).response.allowed) return;
        const { given, first } = shaped(sent, minor, own);
        const causes = first.response.status?.details.causes ?? [];
        for (const { reason } of causes) assert.ok(isSetIn(own, reason), `${reason} is no rule of Kubernetes`);
        const { response } = post(bodyOf(given), 'validate', alone);
        assert.equal(response.allowed, true, response.status?.message);
      }),
      RUNS,
    );
  });

  it('has nothing to add when it is asked again', () => {
    fc.assert(
      fc.property(asked, version, settings, (sent, minor, own) => {
        const { given, first } = shaped(sent, minor, own);
        if (first.response.allowed) assert.deepEqual(patchOf(shaped(given, minor, own).first), []);
      }),
      RUNS,
    );
  });

  it('patches only cpu and memory of containers that the request touches, and removes nothing', () => {
    fc.assert(
      fc.property(asked, version, settings, (sent, minor, own) => {
        const { patch, given } = shaped(sent, minor, own);
        const touched = touchedBy(sent);
        for (const { op, path } of patch) {
          assert.notEqual(op, 'remove');
          const [, list, index] =
            /^\/spec\/(containers|initContainers)\/(\d+)\/resources\/(requests|limits)(\/(cpu|memory))?$/.exec(path) ??
            [];
          assert.ok(touched.has(`spec.${list}[${index}]`), path);
        }
        const [from, to] = [readPod(sent.object), readPod(given.object)];
        for (const { to: value } of changesOf(from, to)) assert.notEqual(value, undefined, 'nothing is removed');
        assert.deepEqual(withoutResources(given.object), withoutResources(sent.object));
      }),
      RUNS,
    );
  });

  it('gives nobody a patch whom no guardrail matches', () => {
    fc.assert(
      fc.property(asked, version, settings, (sent, minor, own) => {
        const { patch } = shaped(sent, minor, own, { match: { serviceAccounts: ['kube-system/vpa-updater'] } });
        assert.deepEqual(patch, []);
      }),
      { numRuns: 300 },
    );
  });

  it('says each value that was asked for and what is given, and records both', () => {
    fc.assert(
      fc.property(asked, version, settings, (sent, minor, own) => {
        const { first, patch, given } = shaped(sent, minor, own);
        const { warnings = [] } = first.response;
        const changes = changesOf(readPod(sent.object), readPod(given.object));
        for (const { container, list, resource, from, to } of changes) {
          const path = resourcePath(container, list, resource);
          const all = first.record?.findings.filter((finding) => finding.path === path && finding.mode === 'fix') ?? [];
          assert.equal(all[0]?.actual, from?.written, 'what was asked');
          assert.ok(all.at(-1)?.message.endsWith(` and is given ${to?.written}`), 'what is given');
          for (const { rule, message } of all) {
            assert.ok(warnings.includes(`[${rule}] fixed: ${message}`));
            assert.ok(message.length <= 256 && /^(container|sidecar) "\w+" must \S.*[^.]$/.test(message), message);
          }
        }
        assert.deepEqual(first.record?.patch ?? [], patch);
        if (patch.length > 0) assert.equal(first.record?.decision, 'fix');
      }),
      RUNS,
    );
  });

  it('brings whatever a create asks for inside the bounds of container-size, and touches nothing that is', () => {
    fc.assert(
      fc.property(pod, version, sizes, (object, minor, own) => {
        const sent = { before: undefined, object };
        const { given } = shaped(sent, minor, [{ 'container-size': own }], { baseline: false });
        const guardrails = guardrailsOf([{ 'container-size': own }]);
        const { response } = post(
          bodyOf(given),
          'validate',
          contextOf({ version: minor, guardrails, baseline: false }),
        );
        assert.equal(response.allowed, true, response.status?.message);
        const bounds = containerBounds.parse(own);
        const [before, after] = [allContainers(readPod(object)), allContainers(readPod(given.object))];
        for (const [index, container] of before.entries()) assertUntouched(bounds, container, after[index]);
      }),
      RUNS,
    );
  });

  it('shrinks no limit that was to grow', () => {
    fc.assert(
      fc.property(resize, version, sizes, ([before, object], minor, own) => {
        const { given } = shaped({ before, object }, minor, [{ 'container-size': own }]);
        for (const { list, resource, container } of changesOf(readPod(object), readPod(given.object))) {
          const valueIn = (json: PodJson) =>
            allContainers(readPod(json))
              .find(({ name }) => name === container?.name)
              ?.[list].get(resource);
          const [from, wanted, to] = [valueIn(before), valueIn(object), valueIn(given.object)];
          if (list !== 'limits' || !from || !wanted || !to || compare(wanted, from) < 0) continue;
          assert.notEqual(compare(to, from), -1);
        }
      }),
      RUNS,
    );
  });

  const VPA = { username: 'system:serviceaccount:kube-system:vpa-updater', groups: [] };
  const small = podOf({ requests: { cpu: '500m', memory: '512Mi' }, limits: { cpu: '1', memory: '1Gi' } });

  it('gives an autoscaler what a guardrail leaves, and refuses everyone else', () => {
    const bounds = { 'container-size': { max: { cpu: '2', memory: '4Gi' } } };
    const own = [
      guardrailOf(bounds, 'autoscaled', { serviceAccounts: ['kube-system/vpa-updater'] }),
      guardrailOf({ 'container-size': { max: { cpu: '2', memory: '4Gi' }, mode: 'enforce' } }, 'tenants'),
    ].filter((one) => one !== undefined);
    const big = podOf({ requests: { cpu: '3', memory: '512Mi' }, limits: { cpu: '6', memory: '8Gi' } });
    const context = contextOf({ guardrails: own });
    const first = post(resizeReview(small, big, { userInfo: VPA }), 'mutate', context);
    assert.deepEqual(first.response.warnings, [
      '[container-size] fixed: container "app" must request at most 2 cpu; it requests 3 and is given 1',
      '[container-size] fixed: container "app" must limit cpu to at most 2; it limits it to 6 and is given 2',
      '[container-size] fixed: container "app" must limit memory to at most 4Gi; it limits it to 8Gi and is given 4Gi',
    ]);
    const given = patched(big, patchOf(first));
    const second = post(resizeReview(small, given, { userInfo: VPA }), 'validate', context);
    assert.deepEqual([second.response.allowed, second.record], [true, undefined]);
    const person = post(resizeReview(small, big), 'mutate', context);
    assert.deepEqual([person.response.allowed, person.patch], [false, undefined]);
  });

  it('says what had to follow, so that a Burstable pod stays Burstable', () => {
    const own = guardrailsOf([{ 'container-size': { max: { cpu: '2' } } }]);
    const [before, big] = [
      podOf({ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1500m', memory: '1Gi' } }),
      podOf({ requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '4', memory: '1Gi' } }),
    ];
    const { response } = post(resizeReview(before, big), 'mutate', contextOf({ guardrails: own }));
    assert.deepEqual(response.warnings, [
      '[container-size] fixed: container "app" must limit cpu to at most 2; it limits it to 4 and is given 2',
      '[container-size] fixed: container "app" must set resources.requests.cpu in its ratio to its limit; it requests 2 and is given 1',
    ]);
  });

  it('does not shape for one rule what another would refuse then', () => {
    const own = guardrailsOf([
      { 'container-size': { limits: { min: { cpu: '2' } } }, 'limit-request-ratio': { cpu: 1 } },
    ]);
    const object = podOf({ requests: { cpu: '1' }, limits: { cpu: '4' } });
    const { response, patch } = post(reviewOf({ object }), 'mutate', contextOf({ guardrails: own }));
    assert.deepEqual([response.allowed, patch], [true, undefined]);
  });

  it('is judged by Kubernetes as it leaves the pod: what would never fit is shaped before it is refused', () => {
    const own = [guardrailOf({ 'container-size': { max: { cpu: '2' } } }, 'tenants')].filter(
      (one) => one !== undefined,
    );
    const huge = podOf({ requests: { cpu: '64', memory: '512Mi' }, limits: { cpu: '128', memory: '1Gi' } });
    const node = {
      state: 'known' as const,
      name: 'n1',
      labels: {},
      allocatable: readPod(podOf({ requests: { cpu: '4', memory: '8Gi' } })).containers[0]?.requests ?? new Map(),
      hasSwap: false,
      heldByOthers: () => new Map(),
    };
    const cluster = { ...EMPTY_CLUSTER, node: () => node };
    const on = (json: PodJson): unknown => ({ ...json, spec: { ...json.spec, nodeName: 'n1' } });
    const body = resizeReview(on(small), on(huge));
    const shapedFirst = post(body, 'mutate', contextOf({ version: '1.36', guardrails: own, cluster }));
    assert.deepEqual([shapedFirst.response.allowed, patchOf(shapedFirst).length], [true, 2]);
    const refused = post(body, 'mutate', contextOf({ version: '1.36', cluster }));
    assert.equal(refused.response.allowed, false);
  });

  it('leaves a limit that Kubernetes would not lower, and enforces it', () => {
    const own = [guardrailOf({ 'limit-request-ratio': { memory: 2 } }, 'tenants')].filter((one) => one !== undefined);
    const less = podOf({ requests: { cpu: '500m', memory: '256Mi' }, limits: { cpu: '1', memory: '1Gi' } });
    const answers = ['1.33', '1.34'].map((minor) => {
      const { patch } = post(resizeReview(small, less), 'mutate', contextOf({ version: minor, guardrails: own }));
      const { response } = post(resizeReview(small, less), 'validate', contextOf({ version: minor, guardrails: own }));
      return [patch, response.allowed];
    });
    const lowered = [{ op: 'replace', path: '/spec/containers/0/resources/limits/memory', value: '512Mi' }];
    assert.deepEqual(answers, [
      [undefined, false],
      [lowered, false],
    ]);
  });
});

function podOf(resources: PodJson['spec']['containers'][0]['resources']): PodJson {
  const policies = ['cpu', 'memory'].map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' }));
  const containers = [{ name: 'app', resizePolicy: policies, resources }];
  return { metadata: { name: 'web', namespace: 'team-blue' }, spec: { containers, initContainers: [] } };
}

function isSetIn(all: readonly object[], rule: string): boolean {
  return all.some((own) => Object.hasOwn(own, rule));
}

function touchedBy({ before, object }: Asked): ReadonlySet<string> {
  const after = readPod(object);
  const touched =
    before === undefined
      ? allContainers(after)
      : changesOf(readPod(before), after).flatMap(({ container }) => container ?? []);
  return new Set(
    touched.map(({ kind, index }) => `spec.${kind === 'main' ? 'containers' : 'initContainers'}[${index}]`),
  );
}

function withoutResources({ metadata, spec }: PodJson): unknown {
  const bare = (one: PodJson['spec']['containers'][0]): unknown => ({ ...one, resources: undefined });
  return { metadata, containers: spec.containers.map(bare), initContainers: spec.initContainers.map(bare) };
}

function assertUntouched(bounds: ContainerBounds, before: Container, after: Container | undefined): void {
  for (const resource of ['cpu', 'memory']) {
    const isInside = (list: 'requests' | 'limits'): boolean => {
      const value = before[list].get(resource);
      const [least, most] = [leastOf(bounds, before.kind, list, resource), mostOf(bounds, before.kind, list, resource)];
      if (value === undefined) return true;
      return !(least && compare(value, least) < 0) && !(most && compare(value, most) > 0);
    };
    if (!isInside('requests') || !isInside('limits')) continue;
    for (const list of ['requests', 'limits'] as const) {
      assert.deepEqual(after?.[list].get(resource), before[list].get(resource));
    }
  }
}
