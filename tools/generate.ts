// Writes what is made from the schemas: `npm run generate`. A test fails when a committed copy is another.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generated } from './schema/generated.ts';

const root = dirname(import.meta.dirname);
for (const [file, text] of generated()) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
