// The oracle as a program: Kubernetes' own code behind lines of JSON, built against one minor.
import { join } from 'node:path';
import { buildOwn } from '../cluster/build.ts';

/** Gives the program of a minor, such as `1.37`. Says on standard error what it builds, which may take minutes the first time. */
export function buildOracle(minor: string): Promise<string> {
  return buildOwn(minor, 'oracle', join(import.meta.dirname, 'oracle'));
}
