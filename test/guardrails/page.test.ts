// docs/configuration.md says of guardrails what is so: its exception is one, and its list of what a CRD cannot refuse is whole.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MODES } from '../../src/guardrails/mode.ts';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { BAD_DOCUMENTS } from './bad-documents.ts';

const FILE = join(import.meta.dirname, '../../docs/configuration.md');
const PAGE = readFileSync(FILE, 'utf8');

const TABLE = [
  '| mistake | why |',
  '|---|---|',
  ...BAD_DOCUMENTS.flatMap(({ what, unknownToCrd }) =>
    unknownToCrd === undefined ? [] : [`| ${what} | ${unknownToCrd} |`],
  ),
].join('\n');

const MARKED = /(<!-- beyond a CRD: [^>]*-->\n)([^]*?)(<!-- \/beyond a CRD -->)/;

describe('the page of guardrails', () => {
  it('names all that a CRD cannot refuse, and why (UPDATE=1 writes it)', () => {
    if (process.env['UPDATE'] === '1')
      writeFileSync(
        FILE,
        PAGE.replace(MARKED, (_, open: string, __, close: string) => `${open}\n${TABLE}\n\n${close}`),
      );
    else assert.equal(MARKED.exec(PAGE)?.[2], `\n${TABLE}\n\n`);
  });

  it('names every mode that a guardrail may have', () => {
    const [, modes = ''] = /^\| `spec\.mode` \|([^;]*);/m.exec(PAGE) ?? [];
    assert.deepEqual(
      [...modes.matchAll(/`(\w+)`/g)].map(([, mode]) => mode),
      MODES,
    );
  });

  it('shows an exception that is one', () => {
    const text = /<!-- exception: [^>]*-->\n```yaml\n([^]*?)```/.exec(PAGE)?.[1] ?? '';
    const guardrail =
      'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: tenants }\nspec: { rules: { resize-step: { grow: { factor: 2 } }, container-size: { max: { cpu: 2 } } } }\n---\n';
    const { exceptions, mistakes, warnings } = readGuardrails(guardrail + text, 'docs/configuration.md');
    assert.deepEqual([mistakes, warnings, exceptions.map(({ name }) => name)], [[], [], ['payments-migration']]);
  });
});
