// The hot path: POST /mutate and POST /validate, from request to response, before express sees anything.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { InvalidReview } from '../admission/invalid-review.ts';
import type { Phase } from '../admission/request.ts';
import { type BodyProblem, declaredLength, discardBody, type HeldBytes, readBody } from './body.ts';
import type { HttpLimits } from './limits.ts';
import { createSparseWrite } from './log.ts';
import type { ProcessLog } from '../admission/process-log.ts';
import type { HttpMetrics } from './metrics.ts';
import {
  BUG,
  NOT_UTF8,
  type Refusal,
  sendJson,
  sendRefusal,
  TOO_MANY,
  tooLarge,
  wrongContentEncoding,
  wrongContentType,
} from './refusal.ts';

/**
 * One decision: the body of an AdmissionReview in, the JSON of its response out. Throws InvalidReview for a body that is
 * no AdmissionReview of v1; anything else that it throws is a bug.
 */
export type Answer = (text: string, phase: Phase) => string;

export interface ReviewOptions {
  readonly answer: Answer;
  readonly limits: HttpLimits;
  readonly metrics: HttpMetrics;
  readonly log: ProcessLog;
  /** Answers then end their connections. */
  readonly isDraining: () => boolean;
  /** Takes every request that is not a POST to one of the two paths. */
  readonly otherwise: RequestListener;
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*("utf-?8"|utf-?8|us-ascii)\s*)?$/i;

function isJson(contentType: string | undefined): boolean {
  return contentType === 'application/json' || (contentType !== undefined && JSON_TYPE.test(contentType));
}

/** The phase that a request target asks for; whatever query it has (the API server sends `?timeout=10s`) is ignored. */
function phaseOf(target: string): Phase | undefined {
  const phase = target.startsWith('/validate') ? 'validate' : target.startsWith('/mutate') ? 'mutate' : undefined;
  if (phase === undefined) return undefined;
  const end = phase.length + 1;
  return target.length === end || target[end] === '?' ? phase : undefined;
}

function wrongHeaders(request: IncomingMessage): Refusal | undefined {
  const { headers } = request;
  if (!isJson(headers['content-type'])) return wrongContentType(headers['content-type']);
  const encoding = headers['content-encoding'];
  return encoding === undefined || encoding === 'identity' ? undefined : wrongContentEncoding(encoding);
}

/** A request listener; it never throws, whatever `answer` does. */
export function createReviewListener(options: ReviewOptions): RequestListener {
  const { answer, limits, metrics, log, isDraining, otherwise } = options;
  const held: HeldBytes = { now: 0, max: limits.maxHeldBytes };
  const warn = createSparseWrite((fields, message) => log.warn(fields, message));
  const error = createSparseWrite((fields, message) => log.error(fields, message));

  const refuse = (request: IncomingMessage, response: ServerResponse, phase: Phase, refusal: Refusal): number => {
    sendRefusal(response, refusal, !isDraining());
    if (!request.complete) discardBody(request, limits.maxBodyBytes);
    const client = request.socket.remoteAddress;
    warn({ endpoint: phase, status: refusal.status, client, error: refusal.error }, 'a request was refused');
    return refusal.status;
  };

  const answerText = (text: string, phase: Phase): string | Refusal => {
    try {
      return answer(text, phase);
    } catch (thrown) {
      if (thrown instanceof InvalidReview) return { status: 400, error: thrown.message };
      error({ endpoint: phase, err: thrown }, 'a review could not be answered');
      return BUG;
    }
  };

  const outcome = (request: IncomingMessage, body: Buffer | BodyProblem, phase: Phase): string | Refusal => {
    if (body === 'too many') return TOO_MANY;
    if (typeof body === 'string') return tooLarge(limits.maxBodyBytes, declaredLength(request));
    return isUtf8(body) ? answerText(body.toString('utf8'), phase) : NOT_UTF8;
  };

  return (request, response) => {
    const phase = request.method === 'POST' ? phaseOf(request.url ?? '') : undefined;
    if (phase === undefined) {
      otherwise(request, response);
      return;
    }
    const started = performance.now();
    const wrong = wrongHeaders(request);
    if (wrong !== undefined) {
      metrics.countRequest(phase, refuse(request, response, phase, wrong), performance.now() - started);
      return;
    }
    readBody(request, limits.maxBodyBytes, held, (body) => {
      let code: number | 'aborted' = 'aborted';
      if (body !== 'aborted') {
        const result = outcome(request, body, phase);
        if (typeof result === 'string') {
          sendJson(response, 200, result, !isDraining());
          code = 200;
        } else {
          code = refuse(request, response, phase, result);
        }
      }
      metrics.countRequest(phase, code, performance.now() - started);
    });
  };
}
