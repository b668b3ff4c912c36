// All that is made from the schemas and committed: the CRDs, the editor's schema, the tables in the rules' pages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { RULES } from '../../src/rules/index.ts';
import { crds } from './crd.ts';
import { editorSchema } from './editor.ts';
import { withSettings } from './settings-table.ts';

const root = join(import.meta.dirname, '../..');
const NOTE = '# Made by `npm run generate` from src/guardrails and src/rules: edit those.\n';

// kubectl reads YAML 1.1, to which `off` without quotes is false.
const YAML = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

/** Each file from the top of the repository, with what must be in it. */
export function generated(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [file, crd] of crds()) {
    files.set(`manifests/crds/${file}`, NOTE + stringify(crd, YAML));
  }
  files.set('schemas/guardrails.json', `${JSON.stringify(editorSchema(), undefined, 2)}\n`);
  for (const rule of RULES) {
    const file = `docs/rules/${rule.id}.md`;
    files.set(file, withSettings(readFileSync(join(root, file), 'utf8'), rule));
  }
  return files;
}
