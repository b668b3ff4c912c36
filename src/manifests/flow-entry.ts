// A new entry in brackets or braces: on one line as on many, and with every comment where it was.
import { isMap, type YAMLMap, type YAMLSeq } from 'yaml';
import { rangeOf } from '../guardrails/places.ts';
import type { Edit } from './edited-text.ts';
import { endOf, type Layout, startOf } from './layout.ts';

// A comma, perhaps, and a comment to the end of the line.
const COMMENT_BEHIND = /[ \t]*(,?)[ \t]+#.*/y;

/** `toText` behind `entry`; it is told the indentation where it gets lines of its own. */
export function behindEntry(
  collection: YAMLMap | YAMLSeq,
  entry: unknown,
  layout: Layout,
  toText: (indent?: string) => string,
): Edit {
  const end = endOf(entry);
  const line = layout.lineOfEntry(collection);
  COMMENT_BEHIND.lastIndex = end;
  const comment = COMMENT_BEHIND.exec(layout.text);
  if (comment === null) {
    const text = line === undefined ? `, ${toText()}` : `,${line.lineEnd}${line.indent}${toText(line.indent)}`;
    return { start: end, end, text };
  }
  const indent = line?.indent ?? ' '.repeat(layout.columnOf(startOf(entry)));
  const at = end + comment[0].length;
  // A comma that is missing can only come behind the comment, unless that would move.
  const text = comment[1] === '' ? `, ${toText(indent)}` : `${toText(indent)},`;
  return { start: at, end: at, text: layout.lineEnd + indent + text };
}

/** `inside` as all there is in a list or map, but for comments. */
export function intoEmpty(collection: YAMLMap | YAMLSeq, inside: string, layout: Layout): Edit {
  const { start, end } = rangeOf(collection) ?? { start: 0, end: 0 };
  const comments = /^[^]*#.*/.exec(layout.text.slice(start, end));
  if (comments !== null) {
    const at = start + comments[0].length;
    const indent = ' '.repeat(layout.columnOf(start));
    return { start: at, end: at, text: layout.lineEnd + indent + inside };
  }
  const space = isMap(collection) && !layout.isJson ? ' ' : '';
  return { start: start + 1, end: end - 1, text: `${space}${inside}${space}` };
}
