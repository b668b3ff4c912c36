import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { AuditRecord } from '../../src/admission/record.ts';
import type { LineWriter } from '../../src/audit/line-writer.ts';
import { createAuditLog } from '../../src/audit/log.ts';
import { recordSchema } from './record-schema.ts';
import { RECORD } from './writing.ts';

describe('the audit log', () => {
  test('writes the record and nothing else, its fields in the order of the schema', () => {
    assert.equal(lineOf(RECORD), `${JSON.stringify(RECORD)}\n`);
    assert.deepEqual(Object.keys(JSON.parse(lineOf(RECORD)) as object), Object.keys(recordSchema.shape));
  });

  test('writes a line that the schema takes', () => {
    recordSchema.parse(JSON.parse(lineOf(RECORD)));
  });

  test('writes any record as one line that reads back as the same record', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(text, text, text, fc.jsonValue(), (name, message, error, value) => {
        const record: AuditRecord = {
          ...RECORD,
          uid: name,
          user: { name, groups: [name, message], serviceAccount: null },
          findings: RECORD.findings.map((finding) => ({ ...finding, message, actual: name })),
          faults: [{ rule: null, error }],
          patch: [{ op: 'add', path: name, value }],
        };
        const line = lineOf(record);
        assert.equal(line.indexOf('\n'), line.length - 1);
        assert.deepEqual(JSON.parse(line), JSON.parse(JSON.stringify(record)));
      }),
    );
  });

  test('writes all of a record with a thousand findings', () => {
    const record = { ...RECORD, findings: Array.from({ length: 1000 }, () => RECORD.findings[0]!) };
    assert.deepEqual(JSON.parse(lineOf(record)), record);
  });

  test('hands every place the same line, and closes every place', async () => {
    const happened: string[] = [];
    const toWriter = (name: string): LineWriter => ({
      write: (line) => void happened.push(`${name} ${line}`),
      close: () => Promise.resolve(void happened.push(`${name} closed`)),
    });
    const log = createAuditLog([toWriter('one'), toWriter('two')]);
    log.write(RECORD);
    await log.close();
    const line = `${JSON.stringify(RECORD)}\n`;
    assert.deepEqual(happened, [`one ${line}`, `two ${line}`, 'one closed', 'two closed']);
  });
});

function lineOf(record: AuditRecord): string {
  let lines = '';
  createAuditLog([{ write: (line) => void (lines += line), close: () => Promise.resolve() }]).write(record);
  return lines;
}
