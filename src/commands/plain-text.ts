// A page of our own documentation as plain text for a terminal: the same words, without the marks of Markdown.

/** Headings are underlined, code is indented, tables are aligned; of a link its text is kept, and its address on the web. */
export function toPlainText(markdown: string): string {
  const out: string[] = [];
  let table: string[][] = [];
  let isCode = false;
  for (const line of markdown.replaceAll(/<!--.*?-->\n?/gs, '').split('\n')) {
    const isFence = line.trimStart().startsWith('```');
    const cells = isCode || isFence ? undefined : cellsOf(line);
    if (cells !== undefined) {
      table.push(cells);
      continue;
    }
    out.push(...toColumns(table));
    table = [];
    if (isFence) {
      if (!isCode) out.push(...toLabel(line));
      isCode = !isCode;
    } else if (isCode) out.push(line === '' ? '' : `    ${line}`);
    else out.push(...toLines(line));
  }
  out.push(...toColumns(table));
  return `${out.join('\n').trim()}\n`;
}

// An example says in its fence whether it passes: "```yaml refused".
function toLabel(fence: string): readonly string[] {
  const label = /^\s*```\w+ (\w+)$/.exec(fence)?.[1];
  return label === undefined ? [] : [`    # ${label}`];
}

function toLines(line: string): readonly string[] {
  const heading = /^(#+) (.*)$/.exec(line);
  if (heading === null) return [withoutMarks(line)];
  const title = withoutMarks(heading[2] ?? '');
  return [title, (heading[1] === '#' ? '=' : '-').repeat(title.length)];
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\((https?:[^)]+)\)/g, '$1 ($2)')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '');
}

// `| a | b |` → its cells; undefined for a line that is not in a table. `\|` is no border.
function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith('|')) return undefined;
  const cells = line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/);
  return cells.map((cell) => withoutMarks(cell.trim().replaceAll(String.raw`\|`, '|')));
}

function toColumns(rows: readonly string[][]): readonly string[] {
  const shown = rows.filter((cells) => !cells.every((cell) => /^:?-+:?$/.test(cell)));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((cells) => cells[column]?.length ?? 0)));
  return shown.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
