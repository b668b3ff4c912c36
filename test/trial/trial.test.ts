// A request is tried with the reviews that the API server would make: held against those of a real one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../src/model/json-fields.ts';
import { applyPatch } from '../../src/trial/apply-patch.ts';
import { asKept, asSent, resized } from '../../src/trial/as-sent.ts';
import { tryCreate, tryResize } from '../../src/trial/trial.ts';
import { contextOf } from '../admission/reviewing.ts';

interface Captured {
  readonly request: JsonObject & {
    readonly object: JsonObject;
    readonly oldObject: JsonObject;
    readonly userInfo: { readonly username: string; readonly groups: readonly string[] };
  };
}

const MINORS = ['1.33', '1.37'];
const REVIEWS = new URL('../reviews/', import.meta.url);
const captured = (minor: string, name: string): Captured =>
  JSON.parse(readFileSync(new URL(`${minor}/${name}.json`, REVIEWS), 'utf8')) as Captured;

const settingFor = ({ request: { userInfo } }: Captured, version: string) => ({
  context: contextOf({ version }),
  requester: { name: userInfo.username, groups: userInfo.groups },
});

/** Without what podrail cannot know: ids, the caller's tool, and whose fields are whose after the request. */
function comparable(request: JsonObject): unknown {
  const object = request['object'] as JsonObject;
  const without = (json: unknown, ...keys: readonly string[]): object =>
    Object.fromEntries(Object.entries(json as JsonObject).filter(([key]) => !keys.includes(key)));
  return {
    ...without(request, 'uid', 'options', 'dryRun'),
    userInfo: without(request['userInfo'], 'uid'),
    object: { ...object, metadata: without(object['metadata'], 'managedFields') },
  };
}

for (const minor of MINORS) {
  describe(`a resize on ${minor}`, () => {
    const names = readdirSync(new URL(minor, REVIEWS)).flatMap(
      (file) => /^(resize.*)\.mutate\.json$/.exec(file)?.[1] ?? [],
    );
    for (const name of names) {
      const mutating = captured(minor, `${name}.mutate`);
      const { oldObject, object } = mutating.request;
      const trial = tryResize(oldObject, object, settingFor(mutating, minor));
      for (const { phase, review } of trial.phases) {
        it(`is asked about as in the captured ${name}.${phase}`, () => {
          const wanted = comparable(captured(minor, `${name}.${phase}`).request);
          assert.deepEqual(comparable(review['request'] as JsonObject), wanted);
        });
      }
    }

    it('has both phases in most of them', () => assert.ok(names.length >= 3));

    it('by a patch is asked about as in the captured resize', () => {
      const mutating = captured(minor, 'resize.mutate');
      const { oldObject } = mutating.request;
      const spec = oldObject['spec'] as { readonly containers: readonly { readonly name: string }[] };
      const wanted = mutating.request.object['spec'] as { readonly containers: readonly JsonObject[] };
      const patch = {
        spec: { containers: [{ name: spec.containers[0]?.name, resources: wanted.containers[0]?.['resources'] }] },
      };
      const trial = tryResize(oldObject, applyPatch(oldObject, patch, 'strategic'), settingFor(mutating, minor));
      const request = trial.phases[1]?.review['request'] as JsonObject;
      assert.deepEqual(comparable(request), comparable(captured(minor, 'resize.validate').request));
      const { metadata } = trial.pod as { readonly metadata: JsonObject };
      assert.deepEqual(metadata['managedFields'], (oldObject['metadata'] as JsonObject)['managedFields']);
    });
  });
}

describe('a create', () => {
  it('is asked about as in the captured create.validate, with the patch of the mutating phase', () => {
    const validating = captured('1.37', 'create.validate');
    const trial = tryCreate(validating.request.object, settingFor(validating, '1.37'));
    const request = trial.phases[1]?.review['request'] as JsonObject;
    assert.deepEqual(request['object'], { ...validating.request.object, ...(trial.pod as object) });
    assert.deepEqual(trial.allowed, true);
  });

  it('that Kubernetes itself refuses is refused, also where no guardrail enforces that', () => {
    const pod = {
      metadata: { name: 'web', namespace: 'team-blue' },
      spec: { containers: [{ name: 'app', resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }] },
    };
    const { allowed, denials } = tryCreate(pod, { context: contextOf(), requester: { name: '', groups: [] } });
    assert.equal(allowed, false);
    assert.deepEqual(
      denials.map((line) => line.split(' ')[0]),
      ['[requests-within-limits]'],
    );
  });
});

describe('a pod as the API server writes it', () => {
  const pod = (resources: unknown) => ({
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'app', resources }] },
  });

  it('has its quantities in canonical form and its requests from its limits', () => {
    const sent = asSent(pod({ limits: { cpu: 0.5, memory: '1.6Gi' } }), { minor: 37 });
    const resources = { cpu: '500m', memory: '1717986918400m' };
    assert.deepEqual(sent, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default' },
      spec: { containers: [{ name: 'app', resources: { requests: resources, limits: resources } }] },
    });
  });

  it('keeps what was defaulted when a patch names only the limit', () => {
    const stored = asKept(pod({ limits: { cpu: '1' } }), { minor: 37 });
    const patch = { spec: { containers: [{ name: 'app', resources: { limits: { cpu: '2' } } }] } };
    const after = asSent(applyPatch(stored, patch, 'strategic'), { minor: 37 });
    assert.deepEqual((after['spec'] as JsonObject)['containers'], [
      { name: 'app', resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } },
    ]);
  });

  it('has the quantities of its status in canonical form', () => {
    const status = {
      containerStatuses: [{ name: 'app', allocatedResources: { cpu: '1000m' }, resources: { limits: { cpu: '0.5' } } }],
    };
    assert.deepEqual(asSent({ ...pod({}), status }, { minor: 37 })['status'], {
      containerStatuses: [{ name: 'app', allocatedResources: { cpu: '1' }, resources: { limits: { cpu: '500m' } } }],
    });
  });

  it('takes only resources and resizePolicy from a resize, and the next generation', () => {
    const stored = { ...asKept(pod({ requests: { cpu: '1' } }), { minor: 35 }), status: { phase: 'Running' } };
    const requested = asSent(
      {
        metadata: { name: 'web', namespace: 'default', labels: { a: 'b' } },
        spec: { containers: [{ name: 'app', image: 'other', resources: { requests: { cpu: '2' } } }] },
      },
      { minor: 35 },
    );
    assert.deepEqual(resized(stored, requested, { minor: 35 }), {
      ...stored,
      metadata: { name: 'web', namespace: 'default', generation: 1 },
      spec: { containers: [{ name: 'app', resources: { requests: { cpu: '2' } } }] },
    });
  });

  it('takes pod-level resources from a resize from 1.36 on, and completes them from 1.37 on', () => {
    const level = { ...pod({ requests: { cpu: '1', memory: '1Gi' } }) };
    const json = { ...level, spec: { ...level.spec, resources: { requests: { cpu: '2' } } } };
    const asked = { ...json, spec: { ...json.spec, resources: { requests: { cpu: '3' } } } };
    const after = (minor: number): unknown =>
      (resized(asKept(json, { minor }), asSent(asked, { minor }), { minor })['spec'] as JsonObject)['resources'];
    assert.deepEqual(
      [after(35), after(36), after(37)],
      [{ requests: { cpu: '2' } }, { requests: { cpu: '3' } }, { requests: { cpu: '3', memory: '1Gi' } }],
    );
  });
});
