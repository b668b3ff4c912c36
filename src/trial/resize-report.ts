// What `podrail resize` says of one resize, as data: it is printed as JSON as it stands, and as text by resize-text.ts.
import type { Policy } from '../guardrails/policy.ts';
import { type KubernetesVersion, toVersionText } from '../model/kubernetes-version.ts';
import { podName } from '../model/pod.ts';
import { readPod } from '../model/read-pod.ts';
import { type Quantity, toText } from '../model/quantity.ts';
import type { Facts } from '../rules/facts.ts';
import { changesNothing } from '../model/resize.ts';
import { resourcePath } from '../rules/message.ts';
import type { JudgedFinding } from '../admission/verdict.ts';
import { type AskedValue, type FitState, type Outcome, type Restart, toOutcome } from './outcome.ts';
import type { Passing, ResizePatch } from './passing-patch.ts';
import type { Trial } from './trial.ts';

export interface ResizeReport {
  readonly allowed: boolean;
  readonly pod: { readonly namespace: string; readonly name: string; readonly node: string | null };
  readonly kubernetes: string;
  /** undefined when podrail has no say about this pod. */
  readonly outcome: ReportedOutcome | undefined;
  /** What the person is told, as the cluster says it. */
  readonly denials: readonly string[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  readonly findings: readonly ReportedFinding[];
  /** A strategic merge patch that passes in the place of a refused one. */
  readonly passing: ResizePatch | null;
  /** Whether its values are what several shared out in proportion. */
  readonly passingIsShared: boolean;
  /** Why no patch is known to pass. */
  readonly passingReason: string | null;
}

export interface ReportedOutcome {
  readonly values: readonly {
    readonly container: string | null;
    readonly kind: 'main' | 'sidecar' | 'init' | 'pod';
    readonly path: string;
    readonly stored: string | null;
    readonly asked: string | null;
    readonly given: string | null;
  }[];
  readonly restarts: readonly ReportedRestart[];
  /** Of a pod on no node, what would restart were it running; null of every other. */
  readonly restartsOnceRunning: readonly ReportedRestart[] | null;
  readonly fits: { readonly state: FitState; readonly node: string | null; readonly reasons: readonly string[] };
}

export interface ReportedRestart {
  readonly container: string;
  readonly resources: readonly string[];
}

export interface ReportedFinding {
  readonly rule: string;
  readonly guardrail: string;
  readonly mode: string;
  readonly path: string;
  readonly actual: string | null;
  readonly bound: string | null;
  readonly message: string;
}

/** What a report is made of besides the trial. */
export interface Reported {
  /** Of the last phase that was asked; undefined when podrail has no say. */
  readonly facts: Facts | undefined;
  readonly version: KubernetesVersion;
  readonly policy: Policy;
  readonly notes: readonly string[];
  /** undefined where it is allowed. */
  readonly passing: Passing | undefined;
}

export function toResizeReport(trial: Trial, { facts, version, policy, notes, passing }: Reported): ResizeReport {
  const pod = facts?.before ?? readPod(trial.pod);
  return {
    allowed: trial.allowed,
    pod: { namespace: pod.namespace, name: podName(pod), node: pod.nodeName ?? null },
    kubernetes: toVersionText(version),
    outcome: facts && toReportedOutcome(toOutcome(facts, trial.phases[0].reply, policy)),
    denials: trial.denials,
    warnings: trial.warnings,
    notes: [...notes, ...notesOn(trial)],
    findings: trial.phases.flatMap(({ reply }) => findingsOf(reply.decided?.verdict)),
    ...reportedPassing(passing),
  };
}

type ReportedPassing = Pick<ResizeReport, 'passing' | 'passingIsShared' | 'passingReason'>;

function reportedPassing(passing: Passing | undefined): ReportedPassing {
  if (passing?.patch !== undefined)
    return { passing: passing.patch, passingIsShared: passing.isShared, passingReason: null };
  return { passing: null, passingIsShared: false, passingReason: passing?.reason ?? null };
}

function notesOn({ allowed, judged, phases: [first] }: Trial): readonly string[] {
  if (!judged) return [UNJUDGED];
  // As it was asked for: what mode `fix` took back was asked all the same.
  const facts = first.reply.decided?.facts;
  if (!allowed || facts?.before === undefined || !changesNothing(facts.before, facts.pod)) return [];
  return ['the patch changes nothing: what a resize takes of it is stored already'];
}

const UNJUDGED = 'podrail judges nothing in this namespace, or of this requester';

function toReportedOutcome({ values, restarts, restartsOnceRunning, fit }: Outcome): ReportedOutcome {
  return {
    values: values.map(toReportedValue),
    restarts: restarts.map(toReportedRestart),
    restartsOnceRunning: restartsOnceRunning?.map(toReportedRestart) ?? null,
    fits: { state: fit.state, node: fit.node ?? null, reasons: fit.reasons },
  };
}

function toReportedRestart({ container, resources }: Restart): ReportedRestart {
  return { container: container.name, resources };
}

type Findings = NonNullable<Trial['phases'][0]['reply']['decided']>['verdict'];

function findingsOf(verdict: Findings | undefined): readonly ReportedFinding[] {
  if (verdict === undefined) return [];
  return [...verdict.violations, ...verdict.fixed, ...verdict.warnings, ...verdict.audited].map(toReportedFinding);
}

function toReportedFinding(finding: JudgedFinding): ReportedFinding {
  const { rule, guardrail, mode, path, actual, bound, message } = finding;
  return { rule, guardrail, mode, path, actual: actual ?? null, bound: bound ?? null, message };
}

function toReportedValue({ container, list, resource, stored, asked, given }: AskedValue) {
  return {
    container: container?.name ?? null,
    kind: container?.kind ?? ('pod' as const),
    path: resourcePath(container, list, resource),
    stored: textOf(stored),
    asked: textOf(asked),
    given: textOf(given),
  };
}

function textOf(quantity: Quantity | undefined): string | null {
  return quantity === undefined ? null : toText(quantity);
}
