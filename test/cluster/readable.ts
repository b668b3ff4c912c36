// A pod with the values mended that podrail calls unreadable.
import type { Finding } from '../../src/rules/rule.ts';

/** With 1 in place of each value that quantity-valid names; what was only completed from another value is that one's to mend. */
export function withReadable<Pod extends object>(
  pod: Pod,
  findings: readonly (Pick<Finding, 'path'> & { readonly rule: string })[],
): Pod {
  const mended = structuredClone(pod);
  for (const { rule, path } of findings) if (rule === 'quantity-valid') mend(mended, path);
  return mended;
}

function mend(pod: object, path: string): void {
  const steps = [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([whole, inBrackets]) =>
    (inBrackets ?? whole).replace(/^"(.*)"$/, '$1'),
  );
  const last = steps.pop() ?? '';
  let place: Record<string, unknown> = { ...pod };
  for (const step of steps) place = (place[step] ?? {}) as typeof place;
  if (Object.hasOwn(place, last)) place[last] = '1';
}
