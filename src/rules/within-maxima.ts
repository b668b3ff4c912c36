// What a minimum must not pass, in CEL: what the settings of container-size and pod-size check, for the API server.
//
// Of cpu and memory alone, and each maximum by name: Kubernetes 1.33 counts a quantity as if it were as long as a whole request, and
// a schema with dearer rules is not accepted.

/** Where amounts stand in settings, from the top: `['requests', 'max']`. */
export type AmountsPath = readonly string[];

interface Validation {
  readonly rule: string;
  readonly message: string;
}

const COMPARED = ['cpu', 'memory'];

/** For each of these maxima that the minimum is not above it. */
export function withinMaxima(minimum: AmountsPath, maxima: readonly AmountsPath[]): readonly Validation[] {
  return maxima.map((maximum) => {
    const comparisons = COMPARED.map((resource) => isWithin(toText(minimum), toText(maximum), resource));
    return {
      rule: `!(${isThere(minimum)} && ${isThere(maximum)}) || (${comparisons.join(' && ')})`,
      message: `${minimum.join('.')} must be at most ${maximum.join('.')}`,
    };
  });
}

function isWithin(least: string, most: string, resource: string): string {
  const areThere = `'${resource}' in ${least} && '${resource}' in ${most}`;
  return `(!(${areThere}) || ${toQuantity(least, resource)}.compareTo(${toQuantity(most, resource)}) <= 0)`;
}

// A quantity may be written as a whole number, which is no text.
function toQuantity(amounts: string, resource: string): string {
  const value = `${amounts}['${resource}']`;
  return `(type(${value}) == string ? quantity(${value}) : quantity('0').add(${value}))`;
}

function toText(path: AmountsPath): string {
  return ['self', ...path].join('.');
}

function isThere(path: AmountsPath): string {
  return path.map((_, index) => `has(${toText(path.slice(0, index + 1))})`).join(' && ');
}
