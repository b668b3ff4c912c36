// The selective reader against JSON.parse, and its own answers to texts that are no JSON.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { InvalidReview } from '../../src/admission/invalid-review.ts';
import { MAX_DEPTH } from '../../src/admission/json-cursor.ts';
import { readJson } from '../../src/admission/read-json.ts';
import { REVIEW } from '../../src/admission/review-shape.ts';
import { entries, fields, list, PRESENCE, QUANTITY, SCALAR, type Shape } from '../../src/admission/shape.ts';
import { CAPTURED } from './captured.ts';

const NAMED = fields({ name: SCALAR, labels: entries(SCALAR), items: list(fields({ name: SCALAR })), set: PRESENCE });

describe('readJson', () => {
  it('keeps the fields that the shape names and steps over all others', () => {
    const text =
      '{"a":{"b":[1,{"name":"inner"}]},"name":"x","labels":{"k":"v"},"items":[{"name":"i","z":[]}],"set":{"deep":{}}}';
    assert.deepEqual(readJson(text, NAMED), { name: 'x', labels: { k: 'v' }, items: [{ name: 'i' }], set: {} });
  });

  it('reads white space, escapes and characters beyond ASCII as JSON.parse does', () => {
    const text = ' {\n\t"name" : "q\\"u\\\\o\\u0074e ☸ 😀" ,\r\n "labels" : { "a\\tb" : null } } ';
    assert.deepEqual(readJson(text, NAMED), JSON.parse(text));
  });

  it('keeps the text of a number where a quantity is read, and the number elsewhere', () => {
    const shape = fields({ cpu: QUANTITY, port: SCALAR });
    assert.deepEqual(readJson('{"cpu":1e3,"port":1e3}', shape), { cpu: '1e3', port: 1000 });
    assert.deepEqual(readJson('{"cpu":12345678901234567890}', shape), { cpu: '12345678901234567890' });
    assert.deepEqual(readJson('{"cpu":true,"port":null}', shape), { cpu: true, port: null });
  });

  it('keeps a value of another kind than expected, so that its reader can complain', () => {
    assert.deepEqual(readJson('{"name":[1],"labels":"no","items":{"a":1},"set":7}', NAMED), {
      name: [],
      labels: 'no',
      items: {},
      set: 7,
    });
  });

  it('gives a key __proto__ as an ordinary property that changes no prototype', () => {
    const read = readJson('{"labels":{"__proto__":"x","a":"b"}}', NAMED) as { labels: object };
    assert.deepEqual(Object.entries(read.labels), [
      ['__proto__', 'x'],
      ['a', 'b'],
    ]);
    assert.equal(Object.getPrototypeOf(read.labels), Object.prototype);
  });

  const notJson: readonly (readonly [string, string])[] = [
    ['', 'a value is missing'],
    ['{', 'a key in quotes is missing'],
    ['{"name"', 'a colon is missing'],
    ['{"name":', 'a value is missing'],
    ['{"name":"x', 'a string has no end'],
    ['{"name":"x\\"}', 'a string has no end'],
    ['{"name":"x"', 'a comma or a closing bracket is missing'],
    ['{"name":"x" "y"}', 'a comma or a closing bracket is missing'],
    ['{"name":"x",}', 'a key in quotes is missing'],
    ['{"name":nul}', 'nul is no JSON value'],
    ['{"name":01}', '01 is no JSON value'],
    ['{"name":"\\x"}', '"\\x" is no JSON value'],
    ['{"other":[1,2}', 'a key in quotes is missing'],
    ['{"other":{"a":', 'it ends before its brackets are closed'],
    ['{"items":[1 2]}', 'a comma or a closing bracket is missing'],
    ['{} {}', 'something follows its value'],
    ['{"name":"a","name":"b"}', 'its key "name" stands twice'],
    ['{"labels":{"k":"a","k":"b"}}', 'its key "k" stands twice'],
    [
      `{"set":${'['.repeat(MAX_DEPTH + 1)}${']'.repeat(MAX_DEPTH + 1)}}`,
      `it is nested deeper than ${MAX_DEPTH} levels`,
    ],
    ['['.repeat(100_000), `it is nested deeper than ${MAX_DEPTH} levels`],
  ];
  for (const [text, problem] of notJson) {
    it(`refuses ${text.length > 40 ? `${text.slice(0, 40)}… (${text.length} characters)` : JSON.stringify(text)}: ${problem}`, () => {
      if (text === '{"other":[1,2}') {
        // Brackets that are stepped over are counted, not matched: the mistake shows where the object does not end.
        assert.throws(() => readJson(text, NAMED), InvalidReview);
        return;
      }
      assert.throws(
        () => readJson(text, NAMED),
        (error: unknown) => error instanceof InvalidReview && error.message.includes(problem),
      );
    });
  }

  it('refuses a key that spells its letters as escapes where it reads fields, since it would be overlooked', () => {
    for (const text of ['{"n\\u0061me":"x"}', '{"items":[{"\\u006eame":"x"}]}']) {
      assert.throws(() => readJson(text, NAMED), /a key is written with escapes/);
    }
    assert.deepEqual(readJson('{"labels":{"\\u0061":"b"},"other":{"\\u0061":1}}', NAMED), { labels: { a: 'b' } });
  });

  it('names in its errors no more than the beginning of what somebody wrote', () => {
    const key = 'k'.repeat(1_000_000);
    assert.throws(
      () => readJson(`{"labels":{"${key}":"a","${key}":"b"}}`, NAMED),
      (error: unknown) => error instanceof InvalidReview && error.message.length < 350,
    );
  });

  it('takes no other white space than JSON has', () => {
    assert.throws(() => readJson('{\v"name":"x"}', NAMED), InvalidReview);
  });

  it('allows nesting up to its bound', () => {
    const depth = MAX_DEPTH - 1;
    assert.deepEqual(readJson(`{"set":${'['.repeat(depth)}${']'.repeat(depth)}}`, NAMED), { set: [] });
  });

  it('gives of any JSON value what JSON.parse gives, as far as the shape reaches', () => {
    const key = fc.constantFrom('name', 'labels', 'items', 'set', 'spec', 'x', '☸', 'a b');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(json, null, indent);
        assert.deepEqual(readJson(text, NAMED), reduced(JSON.parse(text), NAMED));
      }),
      { numRuns: 2_000 },
    );
  });

  for (const { id, text } of CAPTURED) {
    it(`gives of a review that an API server has sent (${id}) what JSON.parse gives, as far as the shape reaches`, () => {
      assert.deepEqual(readJson(text, REVIEW), reduced(JSON.parse(text), REVIEW));
    });
  }

  it('never throws anything but InvalidReview, whatever the text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      ' ',
      'name',
      'labels',
      'items',
      '1',
      'null',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          readJson(pieces.join(''), NAMED);
        } catch (error) {
          assert.ok(error instanceof InvalidReview);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

/** What the reader should keep of a parsed value, written without any of its tricks. */
function reduced(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return shape.kind === 'list' ? value.map((item) => reduced(item, shape.items)) : [];
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const inside = shape.kind === 'entries' ? shape.values : fieldShape(shape, key);
    if (inside) kept[key] = reduced(inner, inside);
  }
  return kept;
}

function fieldShape(shape: Shape, key: string): Shape | undefined {
  if (shape.kind !== 'fields') return undefined;
  return shape.byLength[key.length]?.find((field) => field.name === key)?.shape;
}
