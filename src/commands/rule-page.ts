// The page of a rule, as a reader meets it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

/** The Markdown of a known rule's page, without the marks for the tool that makes its tables. */
export function readRulePage(id: string): string {
  const page = readFileSync(join(packageFolder(), 'docs', 'rules', `${id}.md`), 'utf8');
  return page.replaceAll(/<!--.*?-->\n\n?/gs, '');
}
