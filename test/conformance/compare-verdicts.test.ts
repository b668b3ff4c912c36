// What counts as the same verdict: the same rule at the same field; and what podrail may say alone: only what is listed, there.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldError, Outcome } from './answers.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import type { RuleFinding } from './core-findings.ts';

const finding = (rule: string, path: string, more: Partial<RuleFinding> = {}): RuleFinding => ({
  rule,
  path,
  message: 'said',
  ...more,
});

const error = (field: string, message: string): FieldError => ({ type: 'FieldValueInvalid', field, message });

const kinds = ({ differences }: Outcome): readonly string[] => differences.map(({ kind }) => kind);

const APP = 'spec.containers[0]';

describe('two verdicts', () => {
  it('are the same only where each error is found at its own field', () => {
    const errors = [
      error(`${APP}.resizePolicy`, 'Unsupported value: "gpu": supported values: "cpu", "memory"'),
      error(`${APP}.resizePolicy[2]`, 'Duplicate value: "cpu"'),
    ];
    const unsupported = finding('resize-policy-valid', `${APP}.resizePolicy[1].resourceName`, { actual: 'gpu' });
    const repeated = finding('resize-policy-valid', `${APP}.resizePolicy[2]`, { actual: 'cpu' });
    const compare = (core: readonly RuleFinding[]): Outcome => compareVerdicts({ core, own: [] }, { errors }, '1.37');
    assert.deepEqual(kinds(compare([unsupported, repeated])), []);
    assert.deepEqual(kinds(compare([unsupported])), [
      'Kubernetes alone refuses: resize-policy-valid or resize-only-cpu-memory',
    ]);
    assert.deepEqual(kinds(compare([unsupported, { ...repeated, path: `${APP}.resizePolicy[1]` }])), [
      'Kubernetes alone refuses: resize-policy-valid or resize-only-cpu-memory',
      'podrail alone refuses: resize-policy-valid',
    ]);
  });

  it('differ where podrail names the same rule in another container, list or resource', () => {
    const errors = [
      error(`${APP}.resources.requests`, 'Invalid value: "2": must be less than or equal to cpu limit of 1'),
    ];
    const at = (path: string): readonly string[] =>
      kinds(compareVerdicts({ core: [finding('requests-within-limits', path)], own: [] }, { errors }, '1.37'));
    assert.deepEqual(at(`${APP}.resources.requests[cpu]`), []);
    for (const path of [
      'spec.containers[1].resources.requests[cpu]',
      `${APP}.resources.limits[cpu]`,
      `${APP}.resources.requests[memory]`,
      `${APP}.resources`,
      'spec',
    ]) {
      assert.deepEqual(
        at(path),
        ['Kubernetes alone refuses: requests-within-limits', 'podrail alone refuses: requests-within-limits'],
        path,
      );
    }
  });

  const alone = (one: RuleFinding, ours: boolean, minor: string): Outcome =>
    compareVerdicts(ours ? { core: [], own: [one] } : { core: [one], own: [] }, {}, minor);

  it('differ on purpose only for what is listed: by rule, field and minor', () => {
    const dropped = finding('sidecar-restart-policy', 'spec.initContainers[0].restartPolicy', { actual: 'Never' });
    assert.deepEqual(alone(dropped, false, '1.34').exceptions, ['sidecar-restart-policy: dropped by 1.34']);
    assert.deepEqual(kinds(alone(dropped, false, '1.33')), ['podrail alone refuses: sidecar-restart-policy']);
    assert.deepEqual(kinds(alone({ ...dropped, actual: 'Always' }, false, '1.34')), [
      'podrail alone refuses: sidecar-restart-policy',
    ]);
    const gained = finding('resize-only-cpu-memory', `${APP}.resources.limits[example.com/gpu]`);
    assert.deepEqual(alone(gained, true, '1.34').exceptions, ['resize-only-cpu-memory: new resources']);
    assert.deepEqual(kinds(alone(gained, true, '1.35')), ['podrail alone refuses: resize-only-cpu-memory']);
    assert.deepEqual(kinds(alone({ ...gained, path: `${APP}.resizePolicy` }, true, '1.34')), [
      'podrail alone refuses: resize-only-cpu-memory',
    ]);
    assert.deepEqual(kinds(alone(finding('limit-request-ratio', `${APP}.resources`), true, '1.37')), [
      'podrail alone refuses: limit-request-ratio',
    ]);
  });

  it('are the same where Kubernetes cannot read a pod in which podrail finds what is no quantity', () => {
    const compare = (core: readonly RuleFinding[] | undefined): readonly string[] =>
      kinds(compareVerdicts(core && { core, own: [] }, { decode: 'unable to parse quantity' }, '1.37'));
    const unread = finding('quantity-valid', `${APP}.resources.limits[cpu]`, { actual: 'one' });
    assert.deepEqual(compare(undefined), []);
    assert.deepEqual(compare([unread]), []);
    for (const core of [[], [{ ...unread, bound: '0' }], [{ ...unread, rule: 'quantity-plausible' }]]) {
      assert.deepEqual(compare(core), ['podrail reads what Kubernetes cannot']);
    }
  });

  it('differ where Kubernetes says what nobody knows, whatever podrail says', () => {
    const unknown = error('spec.tolerations[0]', 'Invalid value: "x"');
    const stops = [
      finding('quantity-valid', `${APP}.resources.limits[cpu]`, { conclusive: true }),
      finding('resize-keeps-containers', APP, { conclusive: true }),
    ];
    for (const core of [[], ...stops.map((stop) => [stop])]) {
      const { differences } = compareVerdicts({ core, own: [] }, { errors: [unknown, ...saidBy(core)] }, '1.37');
      assert.deepEqual(
        differences.map(({ kind }) => kind),
        ['an error that nobody knows'],
        core[0]?.rule,
      );
    }
  });

  it('differ on purpose where Kubernetes refuses what is left to it, and nowhere else', () => {
    const left: readonly (readonly [string, string, string])[] = [
      [
        `${APP}.resources.limits[gpu]`,
        'Invalid value: "gpu": must be a standard resource for containers',
        'names of resources',
      ],
      ['spec.containers[1].name', 'Duplicate value: "app"', 'two containers of one name'],
      ['spec.resources', 'Forbidden: may not be set for a windows pod', 'pod-level resources on Windows'],
      [`${APP}.resources`, 'Forbidden: HugePages require cpu or memory', 'huge pages alone'],
      [
        `${APP}.resources.limits[hugepages-x]`,
        'Invalid value: "1": is not positive integer multiple of hugepages-x',
        'huge pages of no size',
      ],
    ];
    for (const [field, message, name] of left) {
      const of = (at: string): Outcome =>
        compareVerdicts({ core: [], own: [] }, { errors: [error(at, message)] }, '1.37');
      assert.deepEqual(of(field), { differences: [], exceptions: [`left to Kubernetes: ${name}`] }, field);
      assert.deepEqual(kinds(of('spec.tolerations[0]')), ['an error that nobody knows'], field);
    }
  });
});

/** What Kubernetes says of the same. */
function saidBy(core: readonly RuleFinding[]): readonly FieldError[] {
  return core.map(({ rule, path }) =>
    rule === 'quantity-valid'
      ? error(path, 'Invalid value: "-1": must be greater than or equal to 0')
      : error(path.replace(/\[\d+\]$/, ''), 'Forbidden: containers may not be added or removed on resize'),
  );
}
