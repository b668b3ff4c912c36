// Whether a pod holds what a test expects of it: only what the test names is compared, quantities by what they are worth.
import { isMap, type JsonObject } from '../model/json-fields.ts';
import { compare, parseQuantity } from '../model/quantity.ts';
import { isSameJson } from './same-json.ts';

/** One line for each place where the pod is not as expected; null expects that nothing is there. */
export function differencesFrom(expected: unknown, actual: unknown, place = ''): readonly string[] {
  if (isMap(expected)) return inMap(expected, isMap(actual) ? actual : {}, place);
  if (isNamedList(expected)) return inNamedList(expected, Array.isArray(actual) ? actual : [], place);
  if (expected === null ? actual === undefined : isSame(expected, actual, place)) return [];
  const wanted = expected === null ? 'not be set' : `be ${JSON.stringify(expected)}`;
  return [`${place} must ${wanted}; it is ${actual === undefined ? 'not set' : JSON.stringify(actual)}`];
}

function inMap(expected: JsonObject, actual: JsonObject, place: string): readonly string[] {
  return Object.entries(expected).flatMap(([key, value]) => {
    const own = Object.hasOwn(actual, key) ? actual[key] : undefined;
    return differencesFrom(value, own, place === '' ? key : `${place}.${key}`);
  });
}

// Containers and volumes are found by their names, wherever they stand.
function isNamedList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isMap(item) && 'name' in item);
}

function inNamedList(expected: readonly JsonObject[], actual: readonly unknown[], place: string): readonly string[] {
  return expected.flatMap((item) => {
    const name = String(item['name']);
    const own = actual.find((one) => isMap(one) && one['name'] === item['name']);
    return own === undefined
      ? [`${place} must have "${name}"; it has none`]
      : differencesFrom(item, own, `${place}[${name}]`);
  });
}

function isSame(expected: unknown, actual: unknown, place: string): boolean {
  if (!/\.(requests|limits)\.[^.]+(\.[^.]+)*$/.test(place)) return isSameJson(expected, actual);
  const [wanted, own] = [parseQuantity(String(expected)), parseQuantity(String(actual))];
  if (wanted.problem !== undefined || own.problem !== undefined) return isSameJson(expected, actual);
  return compare(wanted, own) === 0;
}
