// TypeScript source → words, strings and signs with their lines, and what it imports. Comments and the inside of
// strings, templates and regular expressions never look like code.

export interface Token {
  readonly kind: 'word' | 'string' | 'sign';
  /** A word or sign as written; of a string what is between its quotes. */
  readonly text: string;
  readonly line: number;
}

export interface Import {
  /** What is imported, as written: `./pod.ts`, `zod`, `node:fs`; undefined when it is computed. */
  readonly from: string | undefined;
  readonly line: number;
  /** `import(…)` or `require(…)` rather than a declaration. */
  readonly dynamic: boolean;
}

const SPACE = /[ \t\r\n]+/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;
const STRING = /'((?:[^'\\\n]|\\[^])*)'|"((?:[^"\\\n]|\\[^])*)"/y;
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y;
const WORD = /[\p{ID_Start}$_#@0-9][\p{ID_Continue}$]*/uy;

/** After these a `/` begins a regular expression; after any other word, `)`, `]` or `}` it divides. */
const BEFORE_VALUE = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'void',
  'delete',
  'throw',
  'new',
  'else',
  'await',
]);

/** Splits source into tokens. A `}` before a regular expression literal is the one case that it may misjudge. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  const templateDepths: number[] = [];
  let depth = 0;
  let line = 1;
  let at = 0;

  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null || found[0] === '') return undefined;
    at += found[0].length;
    return found;
  };
  const push = (kind: Token['kind'], text: string, whole: string): void => {
    tokens.push({ kind, text, line });
    line += newlines(whole);
  };
  const skip = (pattern: RegExp): boolean => {
    const found = take(pattern);
    line += newlines(found?.[0] ?? '');
    return found !== undefined;
  };
  // The text of a template up to its end or to `${`, whose inside is code again.
  const takeTemplate = (): void => {
    const text = take(TEMPLATE_PART)?.[0] ?? '';
    push('string', text, text);
    if (source.startsWith('${', at)) templateDepths.push(depth++);
    at += source.startsWith('${', at) ? 2 : 1;
  };

  while (at < source.length) {
    if (skip(SPACE) || skip(COMMENT)) continue;
    const string = take(STRING);
    const literal = string ?? (startsValue(tokens.at(-1)) ? take(REGEXP) : undefined);
    const word = literal === undefined ? take(WORD) : undefined;
    if (literal !== undefined) push('string', literal[1] ?? literal[2] ?? literal[0], literal[0]);
    else if (word !== undefined) push('word', word[0], word[0]);
    else {
      const sign = source.charAt(at++);
      if (sign === '{') depth++;
      if (sign === '}') depth--;
      if (sign === '`') takeTemplate();
      else if (sign === '}' && templateDepths.at(-1) === depth) {
        templateDepths.pop();
        takeTemplate();
      } else push('sign', sign, sign);
    }
  }
  return tokens;
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}

function startsValue(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === 'sign') return !')]}'.includes(previous.text);
  return previous.kind === 'word' && BEFORE_VALUE.has(previous.text);
}

/** Every module that a source names: imports, re-exports, `import(…)`, `import('…')` in types and `require(…)`. */
export function importsOf(tokens: readonly Token[]): readonly Import[] {
  return tokens.flatMap((token, position) => {
    if (token.kind !== 'word' || isMember(tokens, position)) return [];
    const next = tokens[position + 1];
    if ((token.text === 'import' || token.text === 'require') && next?.text === '(') {
      const argument = tokens[position + 2];
      return [{ from: argument?.kind === 'string' ? argument.text : undefined, line: token.line, dynamic: true }];
    }
    if (token.text === 'import' && next?.text !== '.') return declaration(tokens, position);
    return token.text === 'export' && isReexport(tokens, position) ? declaration(tokens, position) : [];
  });
}

/** Whether the word is a member (`x.import`) or a property (`import:`, `import?:`) rather than a word of its own. */
export function isMember(tokens: readonly Token[], position: number): boolean {
  const text = (offset: number): string | undefined => tokens[position + offset]?.text;
  if (text(-1) === '#' || (text(-1) === '.' && text(-2) !== '.')) return true;
  if (text(1) === '?') return text(2) === ':';
  return text(1) === ':' && text(-1) !== '?' && text(-1) !== 'case';
}

function isReexport(tokens: readonly Token[], position: number): boolean {
  const first = tokens[position + 1]?.text === 'type' ? position + 2 : position + 1;
  if (tokens[first]?.text === '*') return true;
  if (tokens[first]?.text !== '{') return false;
  const end = tokens.findIndex(({ kind, text }, index) => index > first && kind === 'sign' && text === '}');
  return tokens[end + 1]?.text === 'from';
}

/** A declaration's module is the first string in it: names of imports are words. */
function declaration(tokens: readonly Token[], position: number): readonly Import[] {
  const module = tokens.slice(position).find(({ kind }) => kind === 'string');
  return [{ from: module?.text, line: module?.line ?? 0, dynamic: false }];
}
