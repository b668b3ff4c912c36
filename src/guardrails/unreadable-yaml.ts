// What is wrong with a YAML document before it is anybody's values, each with its place, in words that say how to write it.
import type { Document } from 'yaml';

export interface YamlMistake {
  /** Where in the text that the document was parsed from. */
  readonly offset: number;
  readonly message: string;
  /** Set where the rest of the document can be read all the same: only one value, or one of two keys, counts for nothing. */
  readonly leavesValue?: boolean;
}

/** A document that parses and gives no values; `message` is the first mistake's. */
export class UnreadableYaml extends Error {
  readonly mistakes: readonly YamlMistake[];

  constructor(mistakes: readonly YamlMistake[]) {
    super(mistakes[0]?.message);
    this.mistakes = mistakes;
  }
}

const MORE_THAN_KEY = 'and each of its lines must be indented by more than the key it belongs to';

// kubectl reads what the first four are about, where it is closed; the parser has no option for it.
const IN_OTHER_WORDS: readonly (readonly [said: RegExp, message: string])[] = [
  [/^Flow sequence in block/, `a list in [ ] must be closed with ], ${MORE_THAN_KEY}`],
  [/^Flow map in block/, `a map in { } must be closed with }, ${MORE_THAN_KEY}`],
  [/^Missing closing "quote/, `a text in " must be closed with ", ${MORE_THAN_KEY}`],
  [/^Missing closing 'quote/, `a text in ' must be closed with ', ${MORE_THAN_KEY}`],
  [/^Tabs are not allowed as indentation/, 'a line must be indented with spaces; this one has a tab'],
  [
    /^Nested mappings are not allowed in compact/,
    'a key must begin a line of its own, or its map must stand in { }; a text with ": " in it must be in quotes',
  ],
  [/^Implicit map keys need to be followed/, 'a key must be followed by ": " and its value'],
];

// What kubectl takes: a comment that begins right behind a value in quotes or brackets.
const IS_NO_MISTAKE = /^Comments must be separated/;
// What the parser stumbles over once a list, map or text has not ended where it should.
const FOLLOWS = /^(Unexpected |Implicit map keys|Nested mappings|Expected a flow scalar)/;

// A key that stands twice, and what its tag or its form says is a number and is none.
const LEAVES_VALUE: ReadonlySet<string> = new Set(['DUPLICATE_KEY', 'TAG_RESOLVE_FAILED']);

/** Every mistake of the parser in a document, without those that only follow from another: one a place. */
export function syntaxMistakes({ errors }: Document, text: string): readonly YamlMistake[] {
  const told = new Set<number>();
  let isBroken = false;
  const mistakes: YamlMistake[] = [];
  for (const { code, message, pos } of errors) {
    const [offset] = pos;
    const said = code === 'DUPLICATE_KEY' ? standsTwice(keyAt(text.slice(offset))) : inOurWords(message);
    if (IS_NO_MISTAKE.test(message) || (isBroken && FOLLOWS.test(message)) || told.has(offset)) continue;
    told.add(offset);
    isBroken ||= code !== 'DUPLICATE_KEY';
    mistakes.push({ offset, message: said, leavesValue: LEAVES_VALUE.has(code) });
  }
  return mistakes;
}

function keyAt(fromKey: string): string {
  const [key = ''] = /^("[^"\n]{0,63}"|'[^'\n]{0,63}'|[^\s:,{}[\]]{0,63})/.exec(fromKey) ?? [];
  return key;
}

/** What to say of a key, as it is written, that stands for the second time. */
export function standsTwice(key: string): string {
  return `key ${key}${TWICE}`;
}

/** Whether that is what a mistake says. */
export function isKeyTwice(message: string): boolean {
  return message.endsWith(TWICE);
}

const TWICE = ' must stand once in its map; it stands twice';

function inOurWords(said: string): string {
  const message = oneLine(said);
  return IN_OTHER_WORDS.find(([theirs]) => theirs.test(message))?.[1] ?? message;
}

/** A parser's message, which may have several lines, as one. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
