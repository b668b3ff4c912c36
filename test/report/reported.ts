// A report's input for tests: two files, every level, names that each form has to escape, and a file that cannot be read.
import type { Report, ReportedFile, ReportedFinding, Totals } from '../../src/report/report.ts';

const FINDING: ReportedFinding = {
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
  source: '        cpu: 200Mi # half',
};

export const FILES: readonly ReportedFile[] = [
  {
    file: 'deploy/web.yaml',
    mistakes: [],
    pods: [
      {
        kind: 'Deployment',
        namespace: 'team-blue',
        name: 'web',
        unlisted: 2,
        findings: [
          FINDING,
          {
            ...FINDING,
            rule: 'sidecar-has-requests',
            level: 'warning',
            line: 12,
            endLine: 12,
            bound: undefined,
            actual: undefined,
          },
          { ...FINDING, rule: 'container-size', level: 'fixed', guardrail: 'tenants' },
        ],
      },
      { kind: 'Pod', namespace: 'default', name: 'quiet', unlisted: 0, findings: [] },
    ],
  },
  {
    file: '100% odd, name:[1]/é <&>".yaml',
    mistakes: [
      { file: '100% odd, name:[1]/é <&>".yaml', line: 3, column: 1, message: 'Map keys\nmust be <unique> & "so" 100%' },
      { file: '100% odd, name:[1]/é <&>".yaml', line: 0, column: 0, message: 'does not exist' },
    ],
    pods: [
      {
        kind: 'Pod',
        namespace: 'default',
        name: '<a> & \u0007 "b"',
        unlisted: 0,
        findings: [
          {
            ...FINDING,
            level: 'audit',
            message: 'pod "]]>" must be 100%, \u0000 and: \ud800 <so>; it is',
            path: '',
            source: '\tname: \u001B[31m"x" 😀',
            column: 8,
            endLine: 10,
            endColumn: 1,
          },
        ],
      },
    ],
  },
];

export const TOTALS: Totals = {
  files: 2,
  pods: 3,
  others: 1,
  noObjects: 0,
  exempt: 1,
  mistakes: 2,
  findings: { error: 1, warning: 1, fixed: 1, audit: 1 },
};

export const NOTHING: Totals = {
  files: 1,
  pods: 1,
  others: 0,
  noObjects: 0,
  exempt: 0,
  mistakes: 0,
  findings: { error: 0, warning: 0, fixed: 0, audit: 0 },
};

export function written(report: Report, files: readonly ReportedFile[] = FILES, totals: Totals = TOTALS): string {
  return report.begin() + files.map(report.add).join('') + report.end(totals);
}
