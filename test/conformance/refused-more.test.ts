// What podrail may refuse alone: only what is so of the value, the stored pod and the minor, whatever the finding says of it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodAnswer } from './answers.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import { factsOfCreate, factsOfResize, type RuleFinding } from './core-findings.ts';

const APP = 'spec.containers[0].resources';
const MILLIS = '9223372036854775807m';
const UNITS = '9223372036854775807';

interface Lists {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
  readonly claims?: readonly object[];
}

const podOf = (resources: Lists, status: object = {}): object => ({
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'app', resources }] },
  status,
});

interface Case {
  readonly finding: RuleFinding;
  readonly minor?: string;
  readonly asked?: object;
  readonly stored?: object;
  readonly theirs?: PodAnswer;
}

/** What comes of a finding of podrail's own where Kubernetes accepts the pod: the names of exceptions, or of differences. */
function outcomeOf({ finding, minor = '1.37', asked, stored, theirs = {} }: Case): readonly string[] {
  const version = { minor: Number(minor.slice(2)) };
  const facts = asked && (stored === undefined ? factsOfCreate(asked, version) : factsOfResize(stored, asked, version));
  const ours = { core: [], own: [finding], ...(facts && { facts }) };
  const { differences, exceptions } = compareVerdicts(ours, theirs, minor);
  return [...exceptions, ...differences.map(({ kind }) => kind)];
}

const one = (rule: string, path: string, more: Partial<RuleFinding> = {}): RuleFinding => ({
  rule,
  path,
  message: 'said',
  ours: true,
  ...more,
});

describe('a value that podrail calls more than can be counted', () => {
  const outcome = (resource: string, text: string, bound: string, says = text): readonly string[] =>
    outcomeOf({
      finding: one('quantity-valid', `${APP}.requests[${resource}]`, { actual: says, bound }),
      asked: podOf({ requests: { [resource]: text } }),
    });

  it('is one where Kubernetes counts another amount: in thousandths of cpu and of devices, else in units', () => {
    for (const [resource, text, bound] of [
      ['cpu', '9223372036854775.808', MILLIS],
      ['cpu', '9223372036854775807001u', MILLIS],
      ['cpu', '9Ei', MILLIS],
      ['example.com/gpu', '10P', MILLIS],
      ['memory', '9223372036854775808', UNITS],
      ['memory', '1e19', UNITS],
      ['memory', `${'0'.repeat(40)}10E`, UNITS],
    ] as const) {
      assert.deepEqual(outcome(resource, text, bound), ['quantity-valid: more than can be counted'], text);
    }
  });

  it('differs where Kubernetes can count it, whatever podrail says that it is, and where the bound is another one', () => {
    for (const [resource, text, bound, says] of [
      ['cpu', '9223372036854775.807', MILLIS],
      ['cpu', '1', MILLIS],
      ['cpu', '1', MILLIS, '1e30'],
      ['cpu', `${'0'.repeat(40)}1`, MILLIS],
      ['example.com/gpu', '9223372036854775', MILLIS],
      ['memory', '9223372036854775807', UNITS],
      ['memory', '9Ei', UNITS],
      ['memory', '10P', MILLIS],
      ['memory', '9223372036854775808', MILLIS],
      ['memory', '-1', '0'],
      ['memory', 'one', UNITS],
    ] as const) {
      assert.deepEqual(outcome(resource, text, bound, says), ['podrail alone refuses: quantity-valid'], text);
    }
  });

  it('may be a sum only where Kubernetes says that the sum is one', () => {
    const sum = (must: string, actual: string, theirs: PodAnswer): readonly string[] =>
      outcomeOf({
        finding: one('quantity-valid', 'spec', { message: `pod "web" must ${must} in all; said`, actual }),
        asked: podOf({}),
        theirs,
      });
    const [over, full] = [`${2n ** 63n}000000000`, `${2n ** 63n - 1n}000000000`];
    const counted = ['podrail alone refuses: quantity-valid'];
    const uncounted = ['quantity-valid: more than can be counted'];
    const memory = `request at most ${UNITS} of memory`;
    assert.deepEqual(sum(memory, '10E', { requests: { memory: over } }), uncounted);
    assert.deepEqual(sum(memory, '10E', { requests: { memory: full } }), counted);
    assert.deepEqual(sum(memory, '10E', { limits: { memory: over } }), counted);
    assert.deepEqual(sum(memory, '10E', { requests: { cpu: over } }), counted);
    assert.deepEqual(sum(`request at most ${MILLIS} cpu`, '10E', { requests: { cpu: full } }), uncounted);
    assert.deepEqual(sum(`limit memory to at most ${UNITS}`, '10E', { limits: { memory: over } }), uncounted);
    assert.deepEqual(sum('request less', '10E', { requests: { memory: over } }), counted);
  });

  it('is judged by what the finding says of it where the pod is not at hand', () => {
    const said = (actual: string): readonly string[] =>
      outcomeOf({ finding: one('quantity-valid', `${APP}.limits[cpu]`, { actual, bound: MILLIS }) });
    assert.deepEqual(said('1e18'), ['quantity-valid: more than can be counted']);
    assert.deepEqual(said('1000000000000.000000000000000000000…'), ['quantity-valid: more than can be counted']);
    assert.deepEqual(said('1'), ['podrail alone refuses: quantity-valid']);
  });
});

describe('a value that podrail calls implausible', () => {
  const outcome = (resource: string, text: string): readonly string[] =>
    outcomeOf({
      finding: one('quantity-plausible', `${APP}.limits[${resource}]`, { actual: text }),
      asked: podOf({ limits: { [resource]: text } }),
    });

  it('is cpu of more than 1024 cores or in a binary unit, or memory of less than 1Mi', () => {
    for (const [resource, text] of [
      ['cpu', '1024001m'],
      ['cpu', '1Ki'],
      ['memory', '1048575'],
      ['memory', '128m'],
    ] as const) {
      assert.deepEqual(outcome(resource, text), ['quantity-plausible'], text);
    }
    for (const [resource, text] of [
      ['cpu', '1024'],
      ['cpu', '0Ki'],
      ['cpu', '0.5'],
      ['memory', '1Mi'],
      ['memory', '0'],
      ['ephemeral-storage', '1'],
    ] as const) {
      assert.deepEqual(outcome(resource, text), ['podrail alone refuses: quantity-plausible'], text);
    }
  });
});

describe('a pod that podrail calls finished', () => {
  it('is one by its stored phase', () => {
    const finding = one('resize-supported-pod', 'status.phase', { message: 'pod "web" must not; its phase is Failed' });
    const asked = podOf({});
    for (const phase of ['Succeeded', 'Failed']) {
      assert.deepEqual(outcomeOf({ finding, asked, stored: podOf({}, { phase }) }), [
        'resize-supported-pod: finished pods',
      ]);
    }
    const refused = ['podrail alone refuses: resize-supported-pod'];
    assert.deepEqual(outcomeOf({ finding, asked, stored: podOf({}, { phase: 'Running' }) }), refused);
    assert.deepEqual(outcomeOf({ finding: { ...finding, message: 'pod "web"; its phase is Running' } }), refused);
  });
});

describe('what podrail says that a container may not gain', () => {
  const outcome = (stored: Lists, resource = 'example.com/gpu', more: Partial<RuleFinding> = {}): readonly string[] =>
    outcomeOf({
      finding: one('resize-only-cpu-memory', `${APP}.limits[${resource}]`, more),
      minor: '1.34',
      stored: podOf(stored),
      asked: podOf({ limits: { [resource]: '1' } }),
    });

  it('is another resource, in a list that was empty', () => {
    const refused = ['podrail alone refuses: resize-only-cpu-memory'];
    assert.deepEqual(outcome({ requests: { cpu: '1' } }), ['resize-only-cpu-memory: new resources']);
    assert.deepEqual(outcome({ limits: { memory: '1Gi' } }), refused);
    assert.deepEqual(outcome({}, 'cpu'), refused);
    assert.deepEqual(outcome({}, 'memory'), refused);
    assert.deepEqual(outcome({}, 'example.com/gpu', { bound: '2' }), refused);
  });

  it('is claims, of a container that had none', () => {
    const claims = [{ name: 'device' }];
    const finding = one('resize-only-cpu-memory', `${APP}.claims`);
    const of = (stored: Lists): readonly string[] =>
      outcomeOf({ finding, minor: '1.36', stored: podOf(stored), asked: podOf({ claims }) });
    assert.deepEqual(of({}), ['resize-only-cpu-memory: new claims']);
    assert.deepEqual(of({ claims }), ['podrail alone refuses: resize-only-cpu-memory']);
  });
});
