import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDocuments } from '../../src/guardrails/documents.ts';

describe('readDocuments', () => {
  it('reads every document of a file, leaves empty ones out, and knows where each value stands', () => {
    const text = 'a: 1\nb:\n  - x\n  - c: yes\n---\n---\n# only a comment\n---\n{"d": 0777}\n';
    const { documents, mistakes } = readDocuments(text, 'f.yaml');
    assert.deepEqual(mistakes, []);
    assert.deepEqual(
      documents.map(({ value }) => value),
      [{ a: 1, b: ['x', { c: true }] }, { d: 511 }],
    );
    const at = documents[0]?.at;
    assert.deepEqual(at?.(['a']), { line: 1, column: 4 });
    assert.deepEqual(at?.(['b', 1, 'c']), { line: 4, column: 8 });
    assert.deepEqual(at?.(['b', 1, 'c'], true), { line: 4, column: 5 });
    assert.deepEqual(at?.(['b', 1, 'c', 'none', 0]), { line: 4, column: 8 });
    assert.deepEqual(at?.(['none']), { line: 1, column: 1 });
    assert.deepEqual(documents[1]?.at([]), { line: 9, column: 1 });
  });

  it('leaves dates and times as the texts they are written as, as kubectl does', () => {
    const { documents } = readDocuments(
      'expires: 2027-01-31T00:00:00Z\nat: 12:30\nspan: 1:30.5\nday: 2027-01-31\n',
      'f.yaml',
    );
    assert.deepEqual(documents[0]?.value, {
      expires: '2027-01-31T00:00:00Z',
      at: '12:30',
      span: '1:30.5',
      day: '2027-01-31',
    });
  });

  it('tells every broken document and still gives the good ones', () => {
    const { documents, mistakes } = readDocuments('a: [1\n---\nb: 2\n---\nc: 1\nc: 2\n---\n\td: 1\n', 'f.yaml');
    assert.deepEqual(
      documents.map(({ value }) => value),
      [{ b: 2 }],
    );
    assert.deepEqual(mistakes.map(({ line, message }) => ({ line, message })).slice(0, 2), [
      { line: 2, message: 'Flow sequence in block collection must be sufficiently indented and end with a ]' },
      { line: 6, message: 'Map keys must be unique' },
    ]);
    assert.ok(mistakes.some(({ line }) => line === 8));
  });

  it('does not expand aliases without bound', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 0; i < 9; i++) {
      const [from, to] = ['abcdefghij'[i], 'abcdefghij'[i + 1]];
      bomb.push(`${to}: &${to} [${Array.from({ length: 10 }, () => `*${from}`).join(', ')}]`);
    }
    const { documents, mistakes } = readDocuments(bomb.join('\n'), 'bomb.yaml');
    assert.deepEqual(documents, []);
    assert.deepEqual(mistakes, [
      {
        file: 'bomb.yaml',
        line: 1,
        column: 1,
        message: 'its aliases expand to 13,580,246,911 values, more than kubectl reads',
      },
    ]);
  });

  it('gives nothing for an empty file', () => {
    assert.deepEqual(readDocuments('', 'empty.yaml'), { documents: [], mistakes: [] });
  });
});
