// The grammar that every rule's messages obey.
import assert from 'node:assert/strict';
import type { Finding } from '../../src/rules/rule.ts';

/** Fails unless a finding's message is one line in the grammar of docs/architecture.md, and its path a field of the pod. */
export function assertGrammar({ message, path }: Finding): void {
  assert.match(message, /^(container|sidecar|init container|pod) "[^"]*" must \S.*[^.]$/, 'who must do what');
  assert.ok(message.length <= 256, `${message.length} characters are too many: ${message}`);
  assert.doesNotMatch(message, /[\p{Cc}\p{Zl}\p{Zp}]/u, 'one line');
  const ours = message.replaceAll(/"[^"]*"/g, '""');
  assert.doesNotMatch(ours, /\b(invalid|please)\b/i, 'plain words');
  assert.doesNotMatch(ours, /\b(undefined|NaN)\b|\[object| {2}/, 'no hole in the sentence');
  assert.match(path, /^(spec|metadata|status)\b/, 'a field from the top');
}
