// What a suite compared between podrail and Kubernetes, kept for docs/fidelity.md: one file a suite and minor.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A kind of difference that is meant: podrail and Kubernetes answer differently there, for the reason given. */
export interface Exception {
  /** A few words, or the id of the rule that refuses more. */
  readonly name: string;
  readonly count: number;
  readonly reason: string;
}

export interface Result {
  /** What was compared, in words: `quantities`, `resizes on the API server`. */
  readonly suite: string;
  /** Such as `1.37`. */
  readonly minor: string;
  /** Such as `v1.37.2`. */
  readonly release: string;
  readonly compared: number;
  /** What differs and is no exception. */
  readonly differences: number;
  readonly exceptions: readonly Exception[];
  /** What was asked and could not be compared, by reason. */
  readonly uncompared?: readonly Exception[];
  /** Makes the same input again, where the input was generated. */
  readonly seed?: number;
  /** When it was compared, as an ISO 8601 time in UTC. Results that do not say it are older than those that do. */
  readonly at?: string;
}

const folder = resolve(import.meta.dirname, '../../.podrail/fidelity');

/** Keeps a result, in place of an earlier one of that suite and minor. */
export function writeResult(result: Omit<Result, 'at'>): void {
  mkdirSync(folder, { recursive: true });
  const name = `${result.suite.replaceAll(/[^a-z0-9]+/gi, '-')}-${result.minor}.json`;
  writeFileSync(join(folder, name), `${JSON.stringify({ ...result, at: new Date().toISOString() }, null, 2)}\n`);
}

/** Every kept result, in the order of their files' names. */
export function readResults(): readonly Result[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Result);
}
