// SARIF: valid against the schema of version 2.1.0 (draft 4, from the npm package @microsoft/jest-sarif, MIT), and at the right lines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import draft4 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { createSarifReport } from '../../src/report/sarif.ts';
import { FILES, NOTHING, written } from './reported.ts';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'sarif-2.1.0.schema.json'), 'utf8')) as object;
const ajv = new draft4.default({ strict: false, allErrors: true, unicodeRegExp: false });
formats.default(ajv);
const validate = ajv.compile(schema);

interface Sarif {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly Result[];
    readonly invocations: readonly {
      readonly executionSuccessful: boolean;
      readonly toolExecutionNotifications: readonly object[];
    }[];
  }[];
}

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly locations: readonly { readonly physicalLocation: unknown }[];
  readonly partialFingerprints: unknown;
}

const report = (folder = '/repo') =>
  createSarifReport({
    version: '1.2.3',
    folder,
    describe: (rule) => ({ summary: `About ${rule}.`, page: { text: rule, markdown: `# ${rule}` } }),
  });
const parsed = (text: string): Sarif => {
  const sarif = JSON.parse(text) as Sarif;
  assert.ok(validate(sarif), JSON.stringify(validate.errors, undefined, 1));
  return sarif;
};

describe('the SARIF report', () => {
  it('is valid, with each finding at its place, its level and its rule', () => {
    const [run] = parsed(written(report())).runs;
    assert.deepEqual(
      run?.results.map(({ ruleId, ruleIndex, level }) => [ruleId, run.tool.driver.rules[ruleIndex]?.id, level]),
      [
        ['quantity-plausible', 'quantity-plausible', 'error'],
        ['sidecar-has-requests', 'sidecar-has-requests', 'warning'],
        ['container-size', 'container-size', 'note'],
        ['quantity-plausible', 'quantity-plausible', 'note'],
      ],
    );
    assert.deepEqual(run?.results[0]?.locations[0]?.physicalLocation, {
      artifactLocation: { uri: 'deploy/web.yaml', uriBaseId: '%SRCROOT%' },
      region: {
        startLine: 9,
        startColumn: 14,
        endLine: 9,
        endColumn: 19,
        snippet: { text: '        cpu: 200Mi # half' },
      },
    });
  });

  it('tells what could not be read', () => {
    const [invocation] = parsed(written(report())).runs[0]?.invocations ?? [];
    assert.deepEqual([invocation?.executionSuccessful, invocation?.toolExecutionNotifications.length], [false, 2]);
  });

  it('is valid when nothing was found', () => {
    const [run] = parsed(written(report(), [], NOTHING)).runs;
    assert.deepEqual([run?.results, run?.tool.driver.rules, run?.invocations[0]?.executionSuccessful], [[], [], true]);
  });

  const names: readonly (readonly [file: string, uri: string, uriBaseId: string | undefined])[] = [
    ['./a b/c#d.yaml', 'a%20b/c%23d.yaml', '%SRCROOT%'],
    ['/repo/deploy/a.yaml', 'deploy/a.yaml', '%SRCROOT%'],
    ['/elsewhere/a.yaml', 'file:///elsewhere/a.yaml', undefined],
    ['-', 'stdin', undefined],
  ];
  for (const [file, uri, uriBaseId] of names) {
    it(`names ${file} as a code host finds it`, () => {
      const sarif = parsed(written(report(), [{ ...(FILES[0] as (typeof FILES)[number]), file }]));
      const location = sarif.runs[0]?.results[0]?.locations[0]?.physicalLocation as {
        readonly artifactLocation: object;
      };
      assert.deepEqual(location.artifactLocation, uriBaseId === undefined ? { uri } : { uri, uriBaseId });
    });
  }

  it('gives a finding the same fingerprint when its line moves', () => {
    const [file] = FILES;
    const moved = {
      ...file,
      pods: file?.pods.map((pod) => ({
        ...pod,
        findings: pod.findings.map((one) => ({ ...one, line: 99, endLine: 99 })),
      })),
    };
    const fingerprints = (text: string) => parsed(text).runs[0]?.results.map((result) => result.partialFingerprints);
    assert.deepEqual(
      fingerprints(written(report(), [moved as (typeof FILES)[number]])),
      fingerprints(written(report(), [file as (typeof FILES)[number]])),
    );
  });
});
