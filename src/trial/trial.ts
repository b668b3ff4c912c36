// What would happen to one request: the reviews as the API server makes them, through both phases of the same decision as serve.
import jsonpatch from 'jsonpatch';
import { judgeInBothPhases } from '../admission/judge-create.ts';
import { denialLines, warningLines } from '../admission/response.ts';
import { type Reply, review, type ReviewContext } from '../admission/review.ts';
import type { Phase } from '../admission/request.ts';
import { PASS, type Verdict } from '../admission/verdict.ts';
import type { JsonObject } from '../model/json-fields.ts';
import type { Requester } from '../rules/facts.ts';
import { asKept, asSent, resized } from './as-sent.ts';

/** What one phase answers. */
export interface Answered {
  readonly phase: Phase;
  readonly reply: Reply;
  /** The AdmissionReview that was asked about. */
  readonly review: JsonObject;
}

export interface Trial {
  readonly allowed: boolean;
  /** Whether podrail has a say: not in namespaces that it leaves alone. */
  readonly judged: boolean;
  /** The mutating phase, and where that allows, the validating one. */
  readonly phases: readonly [Answered, ...Answered[]];
  /** What they come to: of a create one for both phases, of a resize one for each. */
  readonly verdicts: readonly Verdict[];
  /** As a person reads them: `[rule] …`, without the line that quotes a record. */
  readonly denials: readonly string[];
  readonly warnings: readonly string[];
  /** The pod as it would be stored; where it is refused, as it was asked for. */
  readonly pod: JsonObject;
}

export interface TrialSetting {
  readonly context: ReviewContext;
  readonly requester: Requester;
}

/** Creating this pod. Throws InvalidObject for what the API server could not decode. */
export function tryCreate(pod: unknown, setting: TrialSetting): Trial {
  const answers: Answered[] = [];
  const { verdict, patched } = judgeInBothPhases(pod, (one, phase) => {
    const object = asSent(one, setting.context.version);
    const answered = ask({ operation: 'CREATE', object, oldObject: null }, phase, setting);
    answers.push(answered);
    return answered.reply.decided?.verdict ?? PASS;
  });
  const phases = answers as unknown as Trial['phases'];
  const recordId = answers.at(-1)?.reply.record?.id;
  return {
    allowed: verdict.allowed,
    judged: isJudged(phases),
    phases,
    verdicts: [verdict],
    denials: verdict.allowed ? [] : denialLines(verdict, recordId),
    warnings: [...new Set(warningLines(verdict, recordId))],
    pod: asSent(patched, setting.context.version),
  };
}

/** Resizing `stored` into `requested`. Throws InvalidObject for what the API server could not decode. */
export function tryResize(stored: unknown, requested: unknown, setting: TrialSetting): Trial {
  const { version } = setting.context;
  const oldObject = asKept(stored, version);
  const asked: Asked = { operation: 'UPDATE', subResource: 'resize', object: asSent(requested, version), oldObject };
  const mutating = ask(asked, 'mutate', setting);
  if (!responseOf(mutating).allowed) return toTrial([mutating], asked.object);
  const patch = mutating.reply.decided?.verdict.patch ?? [];
  const patched = patch.length === 0 ? asked.object : asSent(jsonpatch.apply_patch(asked.object, [...patch]), version);
  const object = resized(oldObject, patched, version);
  return toTrial([mutating, ask({ ...asked, object }, 'validate', setting)], object);
}

interface Asked {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly subResource?: 'resize';
  readonly object: JsonObject;
  readonly oldObject: JsonObject | null;
}

function ask(asked: Asked, phase: Phase, { context, requester }: TrialSetting): Answered {
  const body = toReview(asked, requester);
  return { phase, reply: review(JSON.stringify(body), phase, context), review: body };
}

const POD = { group: '', version: 'v1', kind: 'Pod' };
const PODS = { group: '', version: 'v1', resource: 'pods' };

function toReview({ operation, subResource, object, oldObject }: Asked, { name, groups }: Requester): JsonObject {
  const metadata = object['metadata'] as JsonObject;
  const sub = subResource === undefined ? {} : { subResource };
  const requestSub = subResource === undefined ? {} : { requestSubResource: subResource };
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: '00000000-0000-4000-8000-000000000000',
      kind: POD,
      resource: PODS,
      ...sub,
      requestKind: POD,
      requestResource: PODS,
      ...requestSub,
      name: metadata['name'] ?? '',
      namespace: metadata['namespace'],
      operation,
      userInfo: { username: name, groups },
      object,
      oldObject,
      dryRun: false,
      options: { kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions', apiVersion: 'meta.k8s.io/v1' },
    },
  };
}

interface Response {
  readonly allowed: boolean;
  readonly status?: { readonly message: string };
  readonly warnings?: readonly string[];
}

function responseOf({ reply }: Answered): Response {
  return (JSON.parse(reply.body) as { readonly response: Response }).response;
}

function isJudged([first]: Trial['phases']): boolean {
  return first.reply.decided !== undefined;
}

function toTrial(phases: Trial['phases'], pod: JsonObject): Trial {
  const responses = phases.map(responseOf);
  const lines = responses.flatMap(({ status }) => status?.message.split('\n') ?? []);
  return {
    allowed: responses.every(({ allowed }) => allowed),
    judged: isJudged(phases),
    phases,
    verdicts: phases.flatMap(({ reply }) => reply.decided?.verdict ?? []),
    denials: lines.filter((line) => !line.startsWith('podrail recorded this as ')),
    warnings: [...new Set(responses.flatMap(({ warnings }) => warnings ?? []))],
    pod,
  };
}
