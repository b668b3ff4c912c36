// The report for a person, and the one for a program.
import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { describe, it } from 'node:test';
import { createJsonReport } from '../../src/report/json.ts';
import type { ReportedFile, ReportedFinding } from '../../src/report/report.ts';
import { createTextReport, toSummary } from '../../src/report/text.ts';
import { FILES, NOTHING, TOTALS, written } from './reported.ts';

function reportOf(finding: Partial<ReportedFinding>): string {
  const [file] = FILES as [ReportedFile];
  const [pod] = file.pods;
  const [own] = pod?.findings ?? [];
  const pods = pod && own ? [{ ...pod, unlisted: 0, findings: [{ ...own, ...finding }] }] : [];
  return createTextReport(false).add({ ...file, pods });
}

describe('the text report', () => {
  it('shows the line of each finding with its part underlined, and what it is about', () => {
    const [first] = written(createTextReport(false)).split('\n\n');
    assert.equal(
      first,
      [
        'deploy/web.yaml:9:14 error [quantity-plausible] container "app" must limit cpu to at most 1024; 200Mi is 209715200 cpu, did you mean 200m?',
        '9 |         cpu: 200Mi # half',
        '  |              ^^^^^',
        '  = Deployment team-blue/web, spec.containers[0].resources.limits[cpu]',
      ].join('\n'),
    );
  });

  it('ends with the sums, and says how many findings are not shown', () => {
    const text = written(createTextReport(false));
    assert.match(text, /\n\nDeployment team-blue\/web has 2 more findings\n\n/);
    assert.match(
      text,
      /\n\nchecked 3 pods in 2 files: 1 error, 1 warning, 1 fixed, 1 for the audit log only; 1 object of other kinds skipped; 1 pod of namespaces that podrail leaves alone; 2 mistakes that kept something from being read\n$/,
    );
    assert.equal(toSummary(NOTHING), 'checked 1 pod in 1 file: 0 errors, 0 warnings');
    assert.equal(
      toSummary({ ...TOTALS, others: 0, exempt: 0, mistakes: 0 }),
      'checked 3 pods in 2 files: 1 error, 1 warning, 1 fixed, 1 for the audit log only',
    );
  });

  it('has colours only where a terminal wants them, and the same text', () => {
    const plain = written(createTextReport(false));
    const painted = written(createTextReport(true));
    assert.equal(plain.includes('\u001B'), false);
    assert.equal(painted.includes('\u001B[1;31merror\u001B[0m'), true);
    assert.equal(stripVTControlCharacters(painted), plain);
  });

  it('underlines to the end of the line what goes on behind it, below tabs as wide as they are', () => {
    const text = reportOf({ source: '\tname: "x"', column: 2, endLine: 10, endColumn: 3 });
    assert.match(text, /\n9 \| \tname: "x"\n {2}\| \t\^{9}\n/);
  });

  it('shows of a long line the part around the place', () => {
    const source = `{"a":"${'x'.repeat(500)}","cpu":"200Mi","b":"${'y'.repeat(500)}"}`;
    const column = source.indexOf('"200Mi"') + 1;
    const [, shown = '', mark = ''] = reportOf({ source, column, endColumn: column + 7 }).split('\n');
    assert.equal(shown.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1), '"200Mi"');
    assert.ok(shown.length < 200);
  });

  it('lets no text of a manifest steer the terminal', () => {
    const text = reportOf({
      source: 'a: \u001B[2Jx\u0007',
      message: 'a\u001B[2J\nb',
      path: 'x\u202Ey',
      column: 1,
      endColumn: 2,
    });
    assert.doesNotMatch(text, /[[\p{Cc}\p{Cf}]--[\n]]/v);
  });

  it('points at something where there is nothing to underline', () => {
    assert.match(reportOf({ source: '', column: 1, endColumn: 1 }), /\n9 \| \n {2}\| \^\n/);
  });
});

describe('the JSON report', () => {
  it('is one object with findings, mistakes and totals', () => {
    const report = JSON.parse(written(createJsonReport())) as { readonly findings: readonly object[] };
    assert.deepEqual(Object.keys(report), ['schema', 'findings', 'mistakes', 'totals']);
    assert.deepEqual(
      { ...report, findings: report.findings[0] },
      {
        schema: 'podrail.dev/check/v1',
        findings: {
          file: 'deploy/web.yaml',
          level: 'error',
          rule: 'quantity-plausible',
          guardrail: 'baseline',
          message: 'container "app" must limit cpu to at most 1024; 200Mi is 209715200 cpu, did you mean 200m?',
          path: 'spec.containers[0].resources.limits[cpu]',
          actual: '200Mi',
          bound: '1024',
          line: 9,
          column: 14,
          endLine: 9,
          endColumn: 19,
          object: { kind: 'Deployment', namespace: 'team-blue', name: 'web' },
        },
        mistakes: FILES.flatMap(({ mistakes }) => mistakes),
        totals: TOTALS,
      },
    );
    assert.equal(report.findings.length, 4);
  });

  it('is one object when nothing was found', () => {
    assert.deepEqual(JSON.parse(written(createJsonReport(), [], NOTHING)), {
      schema: 'podrail.dev/check/v1',
      findings: [],
      mistakes: [],
      totals: NOTHING,
    });
  });
});
