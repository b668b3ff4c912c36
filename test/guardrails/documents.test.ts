import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
      {
        line: 2,
        message:
          'a list in [ ] must be closed with ], and each of its lines must be indented by more than the key it belongs to',
      },
      { line: 6, message: 'key c must stand once in its map; it stands twice' },
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
        line: 10,
        column: 8,
        message:
          'aliases must expand to no more than kubectl reads; they expand to 13,580,246,911 values, this one to the most',
      },
    ]);
  });

  const places = (text: string): readonly string[] =>
    readDocuments(text, 'f.yaml').mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`);

  it('tells of every alias and merge key that leads nowhere, at its own place', () => {
    assert.deepEqual(places('a: &a\n  b: *a\n  c: *none\nd: [*later, x]\ne: &later 1\n'), [
      '2:6 alias *a must stand for what is written before it as &a; nothing is',
      '3:6 alias *none must stand for what is written before it as &none; nothing is',
      '4:5 alias *later must stand for what is written before it as &later; nothing is',
    ]);
    assert.deepEqual(places('a: &a 1\nb:\n  <<: *a\nc:\n  <<: [{ d: 1 }, *a, 2]\n'), [
      '3:7 merge key << must stand for a map or a list of maps',
      '5:18 merge key << must stand for a map or a list of maps',
      '5:22 merge key << must stand for a map or a list of maps',
    ]);
    assert.deepEqual(places('a:\n  <<: 5\nb: *none\n'), [
      '2:7 merge key << must stand for a map or a list of maps',
      '3:4 alias *none must stand for what is written before it as &none; nothing is',
    ]);
  });

  it('knows where a value stands that an alias brings in, also as a key or by a merge key', () => {
    const text = 'a: &a { b: 1, c: [x, y] }\nd: *a\ne:\n  <<: *a\nk: &k key\nf:\n  *k : { g: 2 }\n';
    const at = readDocuments(text, 'f.yaml').documents[0]?.at;
    assert.deepEqual(
      [
        ['d', 'b'],
        ['d', 'c', 1],
        ['e', 'b'],
        ['f', 'key', 'g'],
      ].map((path) => at?.(path)),
      [
        { line: 1, column: 12 },
        { line: 1, column: 22 },
        { line: 1, column: 12 },
        { line: 7, column: 13 },
      ],
    );
  });

  it('takes a comment that begins right behind a value, as kubectl does', () => {
    const { documents, mistakes } = readDocuments('a: "x"#c\nb: [1]#c\nc: {d: 2}#c\n', 'f.yaml');
    assert.deepEqual([mistakes, documents[0]?.value], [[], { a: 'x', b: [1], c: { d: 2 } }]);
  });

  const KEY = 'and each of its lines must be indented by more than the key it belongs to';

  for (const [what, text, mistakes] of [
    [
      'a list that goes on too far to the left',
      'a:\n  b: [\n  1]\n',
      [`3:3 a list in [ ] must be closed with ], ${KEY}`],
    ],
    ['a map that goes on too far to the left', 'a: {\nb: 1}\n', [`2:1 a map in { } must be closed with }, ${KEY}`]],
    ['a text that goes on at the edge', 'a: "b\nc"\n', [`1:6 a text in " must be closed with ", ${KEY}`]],
    [
      'two lists without an end',
      'a: [1\nb: [2\n',
      [`2:1 a list in [ ] must be closed with ], ${KEY}`, `3:1 a list in [ ] must be closed with ], ${KEY}`],
    ],
    ['a tab', 'a:\n\tb: 1\n', ['2:1 a line must be indented with spaces; this one has a tab']],
    [
      'a text with a colon',
      'a: b: c\n',
      [
        '1:4 a key must begin a line of its own, or its map must stand in { }; a text with ": " in it must be in quotes',
      ],
    ],
    ['a key without a value', 'a: 1\nb\n', ['2:1 a key must be followed by ": " and its value']],
    [
      'keys that stand twice',
      'a: 1\n"a": 2\nb: {c: 1, c: 2}\n',
      [
        '2:1 key "a" must stand once in its map; it stands twice',
        '3:11 key c must stand once in its map; it stands twice',
      ],
    ],
  ] as const) {
    it(`says how to write ${what}`, () => assert.deepEqual(places(text), mistakes));
  }

  it('gives nothing for an empty file', () => {
    assert.deepEqual(readDocuments('', 'empty.yaml'), { documents: [], mistakes: [] });
  });
});

describe('the page of checking', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/checking.md'), 'utf8');
  const shown = (name: string): string => page.split(`\`\`\`yml ${name}\n`)[1]?.split('```')[0] ?? '';

  it('shows what only kubectl takes, each told once', () => {
    const { documents, mistakes } = readDocuments(shown('refused'), 'f.yaml');
    assert.deepEqual([documents, mistakes.map(({ line }) => line)], [[], [2, 4, 8]]);
  });

  it('shows how to write it, with the values that kubectl reads from either', () => {
    const { documents, mistakes } = readDocuments(shown('taken'), 'f.yaml');
    const values = documents.map(({ value }) => value);
    assert.deepEqual([mistakes, values], [[], [{ requests: { cpu: 1 } }, { command: 'serve --port 80' }, { cpu: 2 }]]);
  });
});
