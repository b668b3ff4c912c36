// A tap between the API server and a webhook: it passes every review on and every answer back, and keeps both.
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { type Phase, phaseOf, type Review, type RunningWebhook, startWebhook, type Webhook } from './webhook-server.ts';

export interface Tapped {
  readonly phase: Phase;
  readonly operation: string;
  readonly subResource: string | undefined;
  readonly isAllowed: boolean;
  readonly patch: readonly Operation[];
}

export interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

export interface Tap extends RunningWebhook {
  /** What came through about one pod, in the order of the answers. */
  readonly about: (pod: string) => readonly Tapped[];
}

/** Starts a tap in front of a webhook, to be registered in its place. */
export async function startTap(webhook: Webhook): Promise<Tap> {
  const seen: { readonly pod: string | undefined; readonly tapped: Tapped }[] = [];
  const tap = await startWebhook(async (path, body) => {
    const answered = await passOn(webhook, path, body);
    const { request: asked } = JSON.parse(body) as Review;
    const { operation, subResource } = asked;
    const tapped = { phase: phaseOf(path), operation, subResource, ...answerOf(answered) };
    seen.push({ pod: nameOf(asked), tapped });
    return answered;
  });
  return {
    ...tap,
    about: (name) => seen.filter(({ pod }) => pod === name).map(({ tapped }) => tapped),
  };
}

async function passOn({ url, ca }: Webhook, path: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(`${url}${path}`, { method: 'POST', headers, ca }, resolve);
    call.on('error', reject);
    call.end(body);
  });
  return text(response);
}

function answerOf(answered: string): Pick<Tapped, 'isAllowed' | 'patch'> {
  const { response } = JSON.parse(answered) as {
    readonly response: { readonly allowed: boolean; readonly patch?: string };
  };
  const patch =
    response.patch === undefined
      ? []
      : (JSON.parse(Buffer.from(response.patch, 'base64').toString()) as readonly Operation[]);
  return { isAllowed: response.allowed, patch };
}

// A pod that the API server is to name has no name yet.
function nameOf({ name, object }: Review['request']): string | undefined {
  return name === undefined || name === '' ? (object?.metadata.name ?? object?.metadata.generateName) : name;
}
