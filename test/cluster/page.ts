// What pages of docs print: blocks with a label, and of docs/walkthroughs.md the manifests, commands, and what podrail is said to say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from './programs.ts';

const PAGE = pageText('walkthroughs.md');

/** A page of docs, as text. */
export function pageText(name: string): string {
  return readFileSync(join(repository, 'docs', name), 'utf8');
}

/** The text of a block of a page, which is fenced and has its label behind its language; undefined where there is none. */
export function blockOf(page: string, label: string): string | undefined {
  return new RegExp(`^\`\`\`\\w+ ${label}\\n([\\s\\S]*?)\\n\`\`\`$`, 'm').exec(page)?.[1];
}

/** A manifest of the page by its label, as an object of its own that a test may change. */
export function manifest(label: string): PodManifest {
  return parse(required(label)) as PodManifest;
}

/** The text of a block, as printed. */
export function printed(label: string): string {
  return required(label);
}

/** What the page says that podrail says, as lines; a minor that has words of its own has a block of its own. */
export function shown(label: string, minor: string): readonly string[] {
  return (block(`${label}-${minor}`) ?? required(label)).split('\n');
}

/** The shell command of the page that begins with these words. */
export function command(beginning: string): string {
  const line = PAGE.split('\n').find((text) => text.startsWith(beginning));
  if (line === undefined) throw new Error(`docs/walkthroughs.md has no command "${beginning}"`);
  return line;
}

export interface PodManifest {
  readonly metadata: { readonly name: string; readonly [field: string]: unknown };
  readonly spec: { readonly containers: ContainerManifest[]; readonly initContainers?: ContainerManifest[] };
}

export interface ContainerManifest {
  name: string;
  restartPolicy?: string;
  resizePolicy?: unknown;
  resources?: unknown;
}

function required(label: string): string {
  const text = block(label);
  if (text === undefined) throw new Error(`docs/walkthroughs.md has no block "${label}"`);
  return text;
}

function block(label: string): string | undefined {
  return blockOf(PAGE, label);
}
