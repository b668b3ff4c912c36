// `podrail replay`: the examples through the decision, and what cannot be replayed.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Command } from 'commander';
import type { AuditRecord } from '../../src/admission/record.ts';
import { addReplay } from '../../src/commands/replay.ts';
import { UsageError } from '../../src/commands/usage-error.ts';
import { recordedTerminal } from './recorded-terminal.ts';

const examples = join(import.meta.dirname, '../../examples');
const review = (name: string): string => join(examples, 'reviews', `${name}.json`);
const CLUSTER = ['--cluster', join(examples, 'cluster.yaml')];
const GUARDRAILS = ['--guardrails', join(examples, 'guardrails')];

const folder = mkdtempSync(join(tmpdir(), 'podrail-replay-'));
after(() => rmSync(folder, { recursive: true }));

interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly message: string };
  readonly warnings?: readonly string[];
  readonly patch?: string;
}

const run = (args: readonly string[], input = '') => {
  const recorded = recordedTerminal(input);
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addReplay(program, recorded.terminal);
  program.parse(['replay', ...args], { from: 'user' });
  return { code: recorded.code(), out: recorded.out(), err: recorded.err() };
};

/** What is answered, without the line that quotes the record. */
const replayed = (args: readonly string[]) => {
  const { code, out } = run(args);
  const { allowed, status, warnings, patch } = (JSON.parse(out) as { readonly response: Response }).response;
  const said = status?.message.split('\n').filter((line) => line.startsWith('['));
  return {
    code,
    allowed,
    said,
    warnings,
    patch: patch === undefined ? undefined : (JSON.parse(atob(patch)) as unknown),
  };
};

const ALLOWED = { code: 0, allowed: true, said: undefined, warnings: undefined, patch: undefined };

const declared = (path: string) => ({
  op: 'add',
  path,
  value: [
    { resourceName: 'cpu', restartPolicy: 'NotRequired' },
    { resourceName: 'memory', restartPolicy: 'NotRequired' },
  ],
});

describe('podrail replay', () => {
  it('allows a create, with the patch that declares a resizePolicy', () => {
    const patch = [declared('/spec/containers/0/resizePolicy')];
    assert.deepEqual(replayed([review('create'), '--phase', 'mutate']), { ...ALLOWED, patch });
  });

  it('declares it in a sidecar as well', () => {
    const patch = [declared('/spec/containers/0/resizePolicy'), declared('/spec/initContainers/0/resizePolicy')];
    assert.deepEqual(replayed([review('create-sidecar'), '--phase', 'mutate']), { ...ALLOWED, patch });
  });

  it('allows with a warning where a sidecar asks for nothing and nobody waits for it', () => {
    const { warnings, ...rest } = replayed([review('create-sidecar')]);
    assert.deepEqual({ ...rest, warnings: undefined }, ALLOWED);
    assert.deepEqual(
      warnings?.map((text) => text.split(' ')[0]),
      ['[sidecar-has-requests]', '[sidecar-has-startup-probe]'],
    );
  });

  it('allows a resize that fits', () => {
    assert.deepEqual(replayed([review('resize'), ...CLUSTER]), ALLOWED);
  });

  it('warns of a resize that has to wait, with what is free now', () => {
    const { warnings } = replayed([review('resize-deferred'), ...CLUSTER]);
    assert.match(
      warnings?.join() ?? '',
      /^\[resize-fits-now\] pod "nginx" must request at most 2020m cpu .*; it requests 2500m/,
    );
  });

  it('warns of a restart where a guardrail asks for that', () => {
    assert.match(
      replayed([review('resize-restarts'), ...CLUSTER, ...GUARDRAILS]).warnings?.join() ?? '',
      /^\[resize-restarts\] container "nginx" must /,
    );
    assert.deepEqual(replayed([review('resize-restarts'), ...CLUSTER]), ALLOWED);
  });

  it('denies cpu: 200Mi and says what was probably meant, of both fields', () => {
    const { code, said } = replayed([review('resize-200Mi'), ...CLUSTER]);
    assert.equal(code, 1);
    assert.match(
      said?.join('\n') ?? '',
      /^\[quantity-plausible\] .* 100Mi is 104857600 cpu.*\n\[quantity-plausible\] .* 200Mi is 209715200 cpu.*did you mean 200m\?$/,
    );
  });

  it('denies a resize that its node can never hold, in both phases and on every version', () => {
    const line =
      '[resize-within-node] pod "nginx" must request at most 3920m cpu to fit node "worker-1"; it requests 64';
    const denied = { ...ALLOWED, code: 1, allowed: false, said: [line] };
    const args = [review('resize-infeasible'), ...CLUSTER];
    assert.deepEqual(replayed(args), denied);
    assert.deepEqual(replayed([...args, '--phase', 'mutate']), denied);
    assert.deepEqual(replayed([...args, '--phase', 'mutate', '--kubernetes-version', '1.35']), denied);
    assert.deepEqual(replayed([...args, '--kubernetes-version', 'v1.35.4']), denied);
  });

  it('reads standard input', () => {
    const text = readFileSync(review('resize'), 'utf8');
    assert.equal(run(['-'], text).code, 0);
  });

  it('prints the audit record on standard error, at the moment that it is told', () => {
    const { err } = run([review('resize-infeasible'), ...CLUSTER, '--audit', '--now', '2026-11-30T10:00:00+01:00']);
    const record = JSON.parse(err) as AuditRecord;
    assert.deepEqual(
      [record.time, record.decision, record.findings.map(({ rule }) => rule)],
      ['2026-11-30T09:00:00.000Z', 'deny', ['resize-within-node']],
    );
  });

  it('says that there is no record of what podrail does not judge', () => {
    const exempt = JSON.parse(readFileSync(review('create'), 'utf8')) as { readonly request: object };
    const text = JSON.stringify({ ...exempt, request: { ...exempt.request, namespace: 'kube-system' } });
    const { code, err } = run(['-', '--audit'], text);
    assert.deepEqual(
      { code, err },
      { code: 0, err: 'podrail: no audit record: this is no request that podrail judges\n' },
    );
  });

  it('denies what it cannot read, and says why on standard error', () => {
    const text = readFileSync(review('create'), 'utf8').replace('"containers": [', '"containers": 1, "other": [');
    const { code, err } = run(['-'], text);
    assert.equal(code, 1);
    assert.match(err, /^podrail: InvalidObject: .*containers must be a list, not a number/);
  });

  describe('cannot begin', () => {
    const mistakesOf = (args: readonly string[], input?: string): readonly string[] => {
      try {
        run(args, input);
      } catch (error) {
        if (error instanceof UsageError) return error.lines;
        throw error;
      }
      return [];
    };

    it('without the file', () => {
      assert.deepEqual(mistakesOf([join(folder, 'none.json')]), [`${join(folder, 'none.json')} does not exist`]);
    });

    it('with what is no AdmissionReview', () => {
      assert.match(mistakesOf(['-'], '{"kind":"Pod"}').join('\n'), /^- .*AdmissionReview/);
    });

    it('with mistakes in its files, all of which it tells', () => {
      const guardrail = join(folder, 'guardrail.yaml');
      const cluster = join(folder, 'cluster.yaml');
      writeFileSync(
        guardrail,
        'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: a }\nspec:\n  rules:\n    resize-restart: {}\n',
      );
      writeFileSync(cluster, 'apiVersion: v1\nkind: Node\n');
      assert.deepEqual(
        mistakesOf([review('create'), '--guardrails', guardrail, '--cluster', cluster, '--cluster', join(folder, 'x')]),
        [
          `${guardrail}:6:5 unknown rule resize-restart; did you mean resize-restarts?`,
          `${join(folder, 'x')} does not exist`,
          `${cluster}:1:1 status must be set`,
          `${cluster}:1:1 metadata must be set`,
        ],
      );
    });

    const flags: readonly (readonly [readonly string[], RegExp])[] = [
      [['--phase', 'validating'], /Allowed choices are validate, mutate/],
      [['--kubernetes-version', '2'], /It must be a version from 1\.33 on, such as 1\.35/],
      [['--now', 'yesterday'], /It must be a time such as 2026-11-30T09:00:00Z/],
      [['--now', '2026-13-30T09:00:00Z'], /It must be a time/],
      [['--guardrail', 'x'], /unknown option '--guardrail'/],
    ];
    for (const [args, message] of flags) {
      it(`with ${args.join(' ')}`, () => assert.throws(() => run([review('create'), ...args]), message));
    }
  });
});
