// Reads the body of a request, within limits, and lets go of the rest of one that is refused.
import type { IncomingMessage } from 'node:http';

export type BodyProblem = 'too large' | 'too many' | 'aborted';

/** The bytes of all bodies that are being received; one for each server. */
export interface HeldBytes {
  now: number;
  readonly max: number;
}

/** The length that the request declares; undefined when it is chunked or has no body. Node refuses all but digits. */
export function declaredLength(request: IncomingMessage): number | undefined {
  const header = request.headers['content-length'];
  return header === undefined ? undefined : Number(header);
}

/**
 * Calls `done` exactly once: with the whole body, or with why there is none. A body that declares too much is refused
 * before a byte of it is read, a chunked one as soon as it has sent too much.
 *
 * Memory is held for what was received, never for what was declared: a client that announces 8 MiB and stalls costs
 * nothing. Most bodies come in one piece and are not copied.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  held: HeldBytes,
  done: (body: Buffer | BodyProblem) => void,
): void {
  if ((declaredLength(request) ?? 0) > maxBytes) {
    done('too large');
    return;
  }
  let pieces: Buffer[] = [];
  let received = 0;
  let isSettled = false;
  const settle = (body: Buffer | BodyProblem): void => {
    if (isSettled) return;
    isSettled = true;
    held.now -= received;
    pieces = [];
    done(body);
  };
  request.on('data', (piece: Buffer) => {
    if (isSettled) return;
    received += piece.length;
    held.now += piece.length;
    if (received > maxBytes) settle('too large');
    else if (held.now > held.max) settle('too many');
    else pieces.push(piece);
  });
  request.on('end', () => {
    const [only] = pieces;
    settle(only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces, received));
  });
  // Comes after `end` as well, and alone when the client went away.
  request.on('close', () => settle('aborted'));
}

/**
 * Lets the body of a refused request run out, so that a client that is still sending reads the answer and not a reset;
 * one that sends more than twice `maxBytes` of it is cut off. How long it may take is `requestTimeout`'s to bound.
 */
export function discardBody(request: IncomingMessage, maxBytes: number): void {
  let discarded = 0;
  request.on('data', (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > 2 * maxBytes) request.socket.destroy();
  });
}
