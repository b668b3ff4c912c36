// A webhook that allows everything and keeps what it was sent: what an API server really says.
import { allowed, type Phase, phaseOf, type Review, type RunningWebhook, startWebhook } from './webhook-server.ts';

export interface Received {
  readonly phase: Phase;
  readonly review: Review;
}

export interface Recorder extends RunningWebhook {
  /** Everything that came, in the order of arrival. */
  readonly received: readonly Received[];
}

export async function startRecorder(): Promise<Recorder> {
  const received: Received[] = [];
  const webhook = await startWebhook((path, body) => {
    const review = JSON.parse(body) as Review;
    received.push({ phase: phaseOf(path), review });
    return Promise.resolve(allowed(review));
  });
  return { ...webhook, received };
}
