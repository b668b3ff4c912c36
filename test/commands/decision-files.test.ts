// What `--guardrails` and `--cluster` name: all that is wrong in all of it at once, and what is only to be told.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { Command } from 'commander';
import { readDecisionFiles } from '../../src/commands/decision-files.ts';
import { createPolicyMetrics } from '../../src/commands/policy-metrics.ts';
import { addReplay } from '../../src/commands/replay.ts';
import { UsageError } from '../../src/commands/usage-error.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import { recordedTerminal } from './recorded-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'podrail-decision-files-'));
after(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const guardrail = (name: string): string =>
  `apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: ${name} }\nspec: { rules: { resize-step: { grow: { factor: 2 } } } }\n`;
const exception = (of: string, expires = '2027-01-31T00:00:00Z'): string =>
  `apiVersion: podrail.dev/v1alpha1\nkind: GuardrailException\nmetadata: { name: e }\nspec: { guardrail: ${of}, rules: [resize-step], match: {}, reason: why, expires: ${expires} }\n`;

const NOW = new Date('2026-11-30T09:00:00Z');
const read = (guardrails: readonly string[], cluster: readonly string[] = []) =>
  readDecisionFiles(createBaseline('enforce'), guardrails, cluster, NOW);

function problemsOf(guardrails: readonly string[], cluster: readonly string[] = []): readonly string[] {
  try {
    read(guardrails, cluster);
    return [];
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message.split('\n').map((line) => line.replaceAll(`${folder}/`, ''));
  }
}

describe('the files of a decision', () => {
  it('are guardrails and exceptions of several files, which may name one another', () => {
    const { policy, warnings } = read([write('a.yaml', exception('tenants')), write('b.yaml', guardrail('tenants'))]);
    assert.deepEqual(
      [policy.guardrails.map(({ name }) => name), policy.exceptions.map(({ name }) => name), warnings],
      [['tenants', 'baseline'], ['e'], []],
    );
  });

  it('are read once where they are named twice, or by themselves and with their folder', () => {
    const path = write('twice.yaml', guardrail('twice'));
    const { policy } = read([path, path, join(folder, '..', basename(folder), 'twice.yaml')]);
    assert.deepEqual(
      policy.guardrails.map(({ name }) => name),
      ['twice', 'baseline'],
    );
  });

  it('are told of all their mistakes at once, file by file', () => {
    const paths = [
      write('c.yaml', guardrail('one') + '---\n' + guardrail('one')),
      write('d.yaml', exception('ones')),
      join(folder, 'none.yaml'),
      write('e.yaml', 'a:\n\tb: 1\n'),
    ];
    assert.deepEqual(problemsOf(paths, [write('f.yaml', 'apiVersion: v1\n')]), [
      'none.yaml does not exist',
      'c.yaml:8:19 there is a Guardrail one already, at c.yaml:3:19',
      'd.yaml:4:20 spec.guardrail names no guardrail that there is; it is "ones"; did you mean one?',
      'e.yaml:2:1 a line must be indented with spaces; this one has a tab',
      'f.yaml:1:1 kind must be set',
    ]);
  });

  it('are not read where one document of them is too large to be parsed at once', () => {
    const filler = '# '.padEnd(600 * 1024, 'x');
    const path = write('long.yaml', `${guardrail('a')}---\n${guardrail('b')}${filler}\n---\n${guardrail('c')}`);
    assert.deepEqual(problemsOf([path]), [
      'long.yaml:5:1 this document is larger than the 512 KiB that are read of one; split it with a line of ---',
    ]);
  });

  it('are not read where they are too large together', () => {
    const filler = `${'# '.padEnd(400 * 1024, 'x')}\n---\n`.repeat(12);
    const paths = ['s1.yaml', 's2.yaml'].map((name, index) => write(name, filler + guardrail(`a${index}`)));
    assert.deepEqual(problemsOf(paths), [
      's2.yaml with it the files of guardrails have more than the 8 MiB that are read of all together',
    ]);
  });

  it('are not read where they are far too large for guardrails', () => {
    const path = write('huge.yaml', '');
    truncateSync(path, 100 * 1024 * 1024);
    assert.deepEqual(problemsOf([path]), [
      'huge.yaml has 100 MiB, more than the 8 MiB that are read; split it, or name the right file',
    ]);
  });

  it('are told where they are no text, or only seem to be there', () => {
    const others = join(folder, 'others');
    mkdirSync(others);
    symlinkSync(join(folder, 'gone'), join(others, 'link.yaml'));
    writeFileSync(join(others, 'utf16.yaml'), Buffer.from(`\uFEFF${guardrail('a')}`, 'utf16le'));
    assert.deepEqual(problemsOf([others]), [
      'others/link.yaml does not exist',
      'others/utf16.yaml is no text in UTF-8; save it as that',
    ]);
  });

  it('may begin with a byte order mark', () => {
    assert.equal(read([write('bom.yaml', `\uFEFF${guardrail('a')}`)]).policy.guardrails.length, 2);
  });

  it('are one mistake where they are nested without end', () => {
    const deep = write('deep.yaml', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000));
    const [problem = '', ...others] = problemsOf([deep]);
    assert.deepEqual([problem.replace(/:\d+:\d+ /, ' '), others], ['deep.yaml is nested too deeply to be read', []]);
  });

  it('are told at once also where a word in them is as long as a book', () => {
    const text = guardrail('a').replace('resize-step', 'x'.repeat(500_000));
    assert.deepEqual(problemsOf([write('long.yaml', text)]), [
      `long.yaml:4:18 unknown rule ${'x'.repeat(62)}…; podrail rules lists those there are`,
    ]);
  });
});

describe('an exception that has expired', () => {
  const path = write('expired.yaml', `${guardrail('tenants')}---\n${exception('tenants', '2026-11-30T09:00:00Z')}`);

  it('is a warning with its place, in every command that decides', () => {
    const recorded = recordedTerminal(
      '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a","operation":"DELETE","resource":{"version":"v1","resource":"pods"}}}',
    );
    const program = new Command().exitOverride();
    addReplay(program, recorded.terminal);
    program.parse(['replay', '-', '--guardrails', path], { from: 'user' });
    assert.equal(
      recorded.err().replace(`${folder}/`, ''),
      'expired.yaml:9:84 exception e has expired at 2026-11-30T09:00:00Z and is ignored; remove it or renew it\n',
    );
    assert.equal(recorded.code(), 0);
  });

  it('is counted by a metric from that moment on', async () => {
    const registry = new Registry();
    const { policy } = read([path]);
    let now = new Date('2026-11-30T08:59:59Z');
    createPolicyMetrics(
      registry,
      () => policy,
      () => now,
    );
    const lines = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('podrail_'));
    assert.deepEqual(await lines(), [
      'podrail_guardrails 2',
      'podrail_guardrail_exceptions{state="active"} 1',
      'podrail_guardrail_exceptions{state="expired"} 0',
    ]);
    now = NOW;
    assert.deepEqual(await lines(), [
      'podrail_guardrails 2',
      'podrail_guardrail_exceptions{state="active"} 0',
      'podrail_guardrail_exceptions{state="expired"} 1',
    ]);
  });
});

describe('a file of guardrails in which there is none', () => {
  for (const [what, text] of Object.entries({
    empty: '',
    'with a comment alone': '# later\n',
    'of blank documents': '---\n---\n',
  })) {
    it(`${what} is a warning, since somebody may have emptied it`, () => {
      const { policy, warnings } = read([write('none.yaml', text)]);
      assert.deepEqual(
        [policy.guardrails.map(({ name }) => name), warnings.map((warning) => warning.replace(`${folder}/`, ''))],
        [['baseline'], ['none.yaml has no Guardrail and no GuardrailException']],
      );
    });
  }
});
