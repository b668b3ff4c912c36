import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { createAuditMetrics } from '../../src/audit/metrics.ts';
import { markerSchema, recordSchema } from './record-schema.ts';
import { RECORD } from './writing.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/audit.md'), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = '']) => JSON.parse(json) as unknown);

describe('docs/audit.md', () => {
  test('shows a record and a marker as they are', () => {
    assert.equal(EXAMPLES.length, 2);
    assert.deepEqual(recordSchema.parse(EXAMPLES[0]), RECORD);
    markerSchema.parse(EXAMPLES[1]);
  });

  test('says what every field is, in the order of the record', () => {
    assert.deepEqual(firstColumn('| field |'), fieldsOf(z.toJSONSchema(recordSchema, { unrepresentable: 'any' }), ''));
  });

  test('names every metric with its labels', () => {
    const registry = new Registry();
    createAuditMetrics(registry, []);
    const metrics = registry.getMetricsAsArray() as unknown as readonly {
      name: string;
      labelNames: readonly string[];
    }[];
    assert.deepEqual(
      tableRows('| metric |').map(([name, labels]) => [name, labels]),
      metrics.map(({ name, labelNames }) => [`\`${name}\``, labelNames.map((label) => `\`${label}\``).join(', ')]),
    );
  });

  test('gives jq filters that work on its own examples', (t) => {
    const filters = [...PAGE.matchAll(/jq (-\w+ )?'([^']+)' ?(audit\.log)?/g)].filter(([, , , file]) => file);
    assert.ok(filters.length >= 4);
    if (!hasJq()) {
      t.skip('jq is not installed');
      return;
    }
    const log = EXAMPLES.map((example) => JSON.stringify(example)).join('\n');
    const answers = filters.map(([, flags, filter = '']) =>
      execFileSync('jq', [...(flags ? [flags.trim()] : ['-c']), filter], { input: log, encoding: 'utf8' }),
    );
    assert.deepEqual(answers, [
      `2026-11-30T09:00:00.000Z\tdev-lee\tteam-blue/web-1\t${RECORD.findings[0]!.message}\n`,
      `${JSON.stringify(RECORD)}\n`,
      'quantity-plausible\n',
      `${JSON.stringify(EXAMPLES[1])}\n`,
    ]);
  });
});

function hasJq(): boolean {
  try {
    execFileSync('jq', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function tableRows(header: string): readonly (readonly string[])[] {
  const lines = PAGE.slice(PAGE.indexOf(header)).split('\n');
  const table = lines.slice(
    2,
    lines.findIndex((line) => !line.startsWith('|')),
  );
  return table.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
}

function firstColumn(header: string): readonly string[] {
  return tableRows(header).map(([field = '']) => field.replaceAll('`', ''));
}

/** The fields of an object; an object is there through its fields, a list and what may be null are named themselves. */
function fieldsOf(schema: z.core.JSONSchema.BaseSchema, prefix: string): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property === 'boolean') return [];
    const path = `${prefix}${name}`;
    const shown = property.anyOf?.find((option) => typeof option === 'object' && option.type !== 'null') ?? property;
    if (typeof shown === 'boolean') return [];
    const items = shown.items;
    if (typeof items === 'object' && !Array.isArray(items) && items.type === 'object')
      return [path, ...fieldsOf(items, `${path}[].`)];
    if (shown.type !== 'object') return [path];
    return shown === property ? fieldsOf(shown, `${path}.`) : [path, ...fieldsOf(shown, `${path}.`)];
  });
}
