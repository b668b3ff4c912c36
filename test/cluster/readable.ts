// A pod with the values mended that podrail calls unreadable.
import type { Finding } from '../../src/rules/rule.ts';

/** With 1 in place of each value that quantity-valid names. Throws where a path leads nowhere. */
export function withReadable<Pod extends object>(
  pod: Pod,
  findings: readonly (Pick<Finding, 'path'> & { readonly rule: string })[],
): Pod {
  const mended = structuredClone(pod);
  for (const { rule, path } of findings) {
    // A request that is not written is its limit.
    if (rule === 'quantity-valid' && !mend(mended, path) && !mend(mended, path.replace('.requests[', '.limits['))) {
      throw new Error(`the pod has no ${path}`);
    }
  }
  return mended;
}

function mend(pod: object, path: string): boolean {
  const steps = [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([whole, inBrackets]) =>
    (inBrackets ?? whole).replace(/^"(.*)"$/, '$1'),
  );
  const last = steps.pop() ?? '';
  let place: Record<string, unknown> = { ...pod };
  for (const step of steps) place = (place[step] ?? {}) as typeof place;
  if (!Object.hasOwn(place, last)) return false;
  place[last] = '1';
  return true;
}
