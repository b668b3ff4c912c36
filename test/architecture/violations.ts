// What breaks the architecture: a file and the table of arrows → sentences with file, line and what to do.
import { posix } from 'node:path';
import type { Import, Token } from './tokens.ts';
import { importsOf, isMember, tokensOf } from './tokens.ts';

/** A row of the table: what one folder may import. Everything that is not named is forbidden. */
export interface Layer {
  /** `src/model`, or one file: `src/main.ts`. */
  readonly place: string;
  /** Other places of the table. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
  /** Pure: values in, values out; no `node:` module, clock, chance, process, output, timer or promise. */
  readonly pure: boolean;
}

const MAX_LINES = 200;
const FORBIDDEN_NAMES = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'types', 'constants', 'manager']);

/** Words that a pure file never has, and what to do instead. */
const IMPURE = new Map([
  ['process', 'pass the value in'],
  ['globalThis', 'pass the value in'],
  ['performance', 'pass the time in; it is a fact'],
  ['console', 'return what there is to say'],
  ['fetch', 'pass the answer in; I/O belongs to an adapter'],
  ['setTimeout', 'move what waits to an adapter'],
  ['setInterval', 'move what waits to an adapter'],
  ['setImmediate', 'move what waits to an adapter'],
  ['queueMicrotask', 'move what waits to an adapter'],
  ['Promise', 'a decision is synchronous; pass the value in'],
  ['async', 'a decision is synchronous; pass the value in'],
  ['await', 'a decision is synchronous; pass the value in'],
]);

/** Everything that is wrong with one source file under `src/`. `file` is its path from the repository's root. */
export function violationsOf(file: string, source: string, layers: readonly Layer[]): readonly string[] {
  const layer = layers.find(({ place }) => file === place || file.startsWith(`${place}/`));
  if (layer === undefined) return [`${file}: is in no place of the table; add a row for it, or move it`];
  const tokens = tokensOf(source);
  return [
    ...importsOf(tokens).flatMap((found) => arrow(file, found, layer, layers)),
    ...(layer.pure ? tokens.flatMap((_token, position) => impurity(file, tokens, position)) : []),
    ...defaultExports(file, tokens),
    ...shape(file, source),
  ];
}

/** What is wrong with a path whatever is in it: a name that says nothing, or a second `index.ts`. */
export function nameViolationsOf(file: string): readonly string[] {
  const bad = file.split('/').filter((part) => FORBIDDEN_NAMES.has(part.replace(/(\.test)?\.ts$/, '')));
  return [
    ...bad.map((part) => `${file}: "${part}" says nothing about what is in it; name it after its subject`),
    ...(file.endsWith('/index.ts') && file !== 'src/rules/index.ts'
      ? [`${file}: only src/rules has an index.ts, the list of rules; import the files themselves`]
      : []),
  ];
}

function arrow(file: string, { from, line, dynamic }: Import, layer: Layer, layers: readonly Layer[]): string[] {
  const here = `${file}:${line}:`;
  if (from === undefined) return [`${here} imports a computed name; write it out, so that the arrow can be seen`];
  if (layer.pure && dynamic) return [`${here} import("${from}") is asynchronous; import it at the top`];
  if (!from.startsWith('.')) return packageArrow(here, from, layer);
  const target = posix.join(posix.dirname(file), from);
  const other = layers.find(({ place }) => target === place || target.startsWith(`${place}/`));
  if (other === layer || (other !== undefined && layer.imports.includes(other.place))) return [];
  const allowed = layer.imports.length === 0 ? 'only itself' : layer.imports.join(', ');
  return [
    `${here} arrow ${layer.place} → ${other?.place ?? target} is not in the table; ${layer.place} may import ${allowed}. ` +
      'Move the code down, or pass the value in',
  ];
}

function packageArrow(here: string, from: string, layer: Layer): string[] {
  if (from.startsWith('node:')) {
    return layer.pure ? [`${here} ${layer.place} is pure and imports ${from}; move the I/O to an adapter`] : [];
  }
  const name = from.split('/', from.startsWith('@') ? 2 : 1).join('/');
  if (layer.packages.includes(name)) return [];
  const allowed = layer.packages.length === 0 ? 'no package' : layer.packages.join(', ');
  return [`${here} arrow ${layer.place} → ${name} is not in the table; ${layer.place} may import ${allowed}`];
}

function impurity(file: string, tokens: readonly Token[], position: number): string[] {
  const token = tokens[position];
  if (token?.kind !== 'word' || isMember(tokens, position)) return [];
  const here = `${file}:${token.line}:`;
  const after = (offset: number): string | undefined => tokens[position + offset]?.text;
  const advice = IMPURE.get(token.text);
  // A port may say that its adapter promises something; only `Promise<…>` as a type does that.
  const isPort = token.text === 'Promise' && after(1) === '<' && after(-1) !== 'new';
  if (isPort) return [];
  if (advice !== undefined) return [`${here} a pure folder has no \`${token.text}\`; ${advice}`];
  if (token.text === 'Math' && after(2) === 'random') return [`${here} a pure folder has no chance; pass the value in`];
  return token.text === 'Date' && readsClock(tokens, position)
    ? [`${here} a pure folder does not read the clock; time is a fact, pass it in`]
    : [];
}

/** `Date.now`, `new Date()`, `new Date` and `Date()`: all but `new Date(value)`, `Date.parse` and the type. */
function readsClock(tokens: readonly Token[], position: number): boolean {
  const after = (offset: number): string | undefined => tokens[position + offset]?.text;
  if (after(1) === '.') return after(2) === 'now';
  const isNew = tokens[position - 1]?.text === 'new';
  return isNew ? after(1) !== '(' || after(2) === ')' : after(1) === '(';
}

function defaultExports(file: string, tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ kind, text, line }, position) => {
    const before = tokens[position - 1]?.text;
    const isDefault = kind === 'word' && text === 'default' && (before === 'export' || before === 'as');
    return isDefault ? [`${file}:${line}: has a default export; export it by its name`] : [];
  });
}

function shape(file: string, source: string): string[] {
  const lines = source.split('\n').length - 1;
  return [
    ...(lines > MAX_LINES
      ? [`${file}: has ${lines} lines of ${MAX_LINES} at most; it holds more than one thing, split it`]
      : []),
    ...(source.startsWith('//') || source.startsWith('#!')
      ? []
      : [`${file}:1: must begin with a comment that says what it holds`]),
  ];
}
