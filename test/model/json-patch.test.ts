import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import jsonpatch from 'jsonpatch';
import { addToList, addToMap, toPointer } from '../../src/model/json-patch.ts';

test('a pointer escapes what RFC 6901 gives a meaning', () => {
  assert.equal(toPointer(), '');
  assert.equal(toPointer('spec', 'containers', 0, 'resizePolicy'), '/spec/containers/0/resizePolicy');
  assert.equal(toPointer('metadata', 'labels', 'a/b~c~1'), '/metadata/labels/a~1b~0c~01');
});

test('a list that is not there is added whole, one that is there is appended to', () => {
  assert.deepEqual(addToList('/spec/list', undefined, ['a', 'b']), [
    { op: 'add', path: '/spec/list', value: ['a', 'b'] },
  ]);
  assert.deepEqual(addToList('/spec/list', null, ['a']), [{ op: 'add', path: '/spec/list', value: ['a'] }]);
  assert.deepEqual(addToList('/spec/list', [], ['a', 'b']), [
    { op: 'add', path: '/spec/list/-', value: 'a' },
    { op: 'add', path: '/spec/list/-', value: 'b' },
  ]);
  assert.deepEqual(addToList('/spec/list', undefined, []), []);
});

test('a map that is not there is added whole, one that is there gets what it lacks', () => {
  assert.deepEqual(addToMap('/m', undefined, { a: '1' }), [{ op: 'add', path: '/m', value: { a: '1' } }]);
  assert.deepEqual(addToMap('/m', null, { a: '1' }), [{ op: 'add', path: '/m', value: { a: '1' } }]);
  assert.deepEqual(addToMap('/m', { a: '1', b: '2', c: '3' }, { a: '1', b: '4', 'x/y': '5' }), [
    { op: 'replace', path: '/m/b', value: '4' },
    { op: 'add', path: '/m/x~1y', value: '5' },
  ]);
  assert.deepEqual(addToMap('/m', undefined, {}), []);
});

test('a key that every object inherits is added, not replaced', () => {
  assert.deepEqual(addToMap('/m', {}, { constructor: 'x' }), [{ op: 'add', path: '/m/constructor', value: 'x' }]);
});

const key = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__');
const map = fc.dictionary(key, fc.string(), { noNullPrototype: true });

test('law: a patched list ends with the values, whether it was there or not', () => {
  fc.assert(
    fc.property(fc.option(fc.array(fc.string()), { nil: undefined }), fc.array(fc.string()), (list, values) => {
      const document = list === undefined ? {} : { list };
      const patched = jsonpatch.apply_patch(document, [...addToList('/list', list, values)]);
      const expected = [...(list ?? []), ...values];
      assert.deepEqual(patched.list ?? [], expected);
    }),
  );
});

test('law: a patched map has every entry and keeps the others, and needs no second patch', () => {
  fc.assert(
    fc.property(fc.option(map, { nil: undefined }), map, (before, entries) => {
      const document = before === undefined ? {} : { map: before };
      const patched = jsonpatch.apply_patch(document, [...addToMap('/map', before, entries)]);
      assert.deepEqual(patched.map ?? {}, { ...before, ...entries });
      assert.deepEqual(patched.map && addToMap('/map', patched.map, entries), patched.map && []);
    }),
  );
});
