// YAML as kubectl reads it (sigs.k8s.io/yaml, which is go.yaml.in/yaml/v2): which plain words are no texts, duplicate keys,
// merge keys, and how much aliases may expand to.
import type { Document, ParseOptions, ScalarTag, SchemaOptions, Tags } from 'yaml';
import { boundExpansion } from './alias-expansion.ts';
import { MERGE_KEY } from './merge-key.ts';

const WORDS: ReadonlyMap<string, boolean | number | null> = new Map<string, boolean | number | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);
const NUMBER_LIKE = /^[-+.\d]/;
const INTEGER = /^([-+]?)(?:0b([01]+)|0x([\da-f]+)|0o?([0-7]+)|(0|[1-9]\d*))$/i;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;

/**
 * What a plain scalar means. An integer that a double cannot hold is given as the text of its digits, which is what a quantity is
 * read from. Dates and times (`12:30`) stay texts.
 */
export function toPlainValue(text: string): unknown {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  return NUMBER_LIKE.test(text) ? toNumber(text) : text;
}

function toNumber(text: string): number | string {
  if (text.startsWith('.')) return toFloat(text, text);
  // Digits may be grouped: `1_000`.
  const digits = text.replaceAll('_', '');
  const integer = INTEGER.exec(digits);
  return (integer && toInteger(integer)) ?? toFloat(digits, text);
}

const MOST_UNSIGNED = 2n ** 64n - 1n;
const LEAST_SIGNED = -(2n ** 63n);

// Past 64 bits an integer is read as a float, where it is written in decimal digits.
function toInteger([, sign, binary, hexadecimal, octal, decimal]: RegExpExecArray): number | string | undefined {
  const magnitude = BigInt(
    binary !== undefined
      ? `0b${binary}`
      : hexadecimal !== undefined
        ? `0x${hexadecimal}`
        : octal !== undefined
          ? `0o${octal}`
          : String(decimal),
  );
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < LEAST_SIGNED || value > MOST_UNSIGNED) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

// What is too large for a double is a text.
function toFloat(digits: string, text: string): number | string {
  const value = FLOAT.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(value) ? value : text;
}

// Most scalars are texts, which one look at their first character tells.
const PLAIN: ScalarTag = {
  tag: 'tag:yaml.org,2002:plain',
  default: true,
  test: /^(?:[-+.\d~]|[yYnNtTfFoO]|$)/,
  resolve(text, onError) {
    const value = toPlainValue(text);
    if (typeof value === 'number' && !Number.isFinite(value)) onError(`${text} is no number that JSON can hold`);
    return value;
  },
};

function explicit(name: string, isOne: (value: unknown) => boolean): ScalarTag {
  return {
    tag: `tag:yaml.org,2002:${name}`,
    resolve(text, onError) {
      const value = toPlainValue(text);
      if (!isOne(value)) onError(`this is no !!${name}`);
      return value;
    },
  };
}

const EXPLICIT: readonly ScalarTag[] = [
  explicit('bool', (value) => typeof value === 'boolean'),
  explicit('null', (value) => value === null),
  explicit('int', (value) => Number.isInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value))),
  explicit('float', (value) => typeof value === 'number'),
  { tag: 'tag:yaml.org,2002:binary', resolve: (text) => Buffer.from(text, 'base64').toString('utf8') },
];
const KEPT: ReadonlySet<string> = new Set(['map', 'seq', 'str'].map((name) => `tag:yaml.org,2002:${name}`));

/** The options for `yaml`: how a document is parsed. toValue turns it into plain values. */
export const KUBERNETES_YAML: ParseOptions & SchemaOptions & { readonly version: '1.1'; readonly prettyErrors: false } =
  {
    version: '1.1',
    prettyErrors: false,
    customTags: (tags: Tags): Tags => [
      ...tags.filter((tag) => typeof tag !== 'string' && KEPT.has(tag.tag)),
      MERGE_KEY,
      PLAIN,
      ...EXPLICIT,
    ],
  };

/**
 * The plain values of a document that was parsed from `text`. Throws UnreadableYaml where its aliases lead nowhere, would expand to
 * more than kubectl takes, or where a merge key stands for no map.
 */
export function toValue(document: Document, text: string): unknown {
  // Before a value is made: nested merges alone can take forever.
  if (text.includes('&')) boundExpansion(document.contents);
  try {
    return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    // Without an anchor there was nothing to bound, but there may be what leads nowhere.
    boundExpansion(document.contents);
    throw error;
  }
}
