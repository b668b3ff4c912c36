// The arrows of CONTRIBUTING.md, as a table, held against every file.
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import type { Layer } from './architecture/violations.ts';
import { nameViolationsOf, violationsOf } from './architecture/violations.ts';

const PURE = ['src/admission', 'src/guardrails', 'src/rules', 'src/model'];

/** Which place may import which, from the top to the bottom. An arrow that is not here does not exist. */
const LAYERS: readonly Layer[] = [
  { place: 'src/main.ts', imports: ['src/commands'], packages: ['commander'], pure: false },
  {
    place: 'src/commands',
    imports: [
      'src/config.ts',
      'src/follow-folder.ts',
      'src/http',
      'src/cluster',
      'src/audit',
      'src/tls',
      'src/report',
      'src/manifests',
      'src/trial',
      ...PURE,
    ],
    packages: ['commander', 'pino', 'prom-client', 'yaml'],
    pure: false,
  },
  {
    place: 'src/config.ts',
    imports: ['src/http', 'src/cluster', 'src/audit', 'src/tls', ...PURE],
    packages: ['yaml', 'zod'],
    pure: false,
  },
  { place: 'src/http', imports: PURE, packages: ['express', 'prom-client'], pure: false },
  { place: 'src/cluster', imports: PURE, packages: ['@kubernetes/client-node', 'undici', 'yaml'], pure: false },
  { place: 'src/audit', imports: PURE, packages: ['pino', 'prom-client', 'ulid'], pure: false },
  {
    place: 'src/tls',
    imports: ['src/follow-folder.ts', ...PURE],
    packages: ['@peculiar/x509', 'reflect-metadata'],
    pure: false,
  },
  { place: 'src/follow-folder.ts', imports: [], packages: [], pure: false },
  { place: 'src/report', imports: PURE, packages: [], pure: false },
  { place: 'src/manifests', imports: PURE, packages: ['yaml'], pure: true },
  {
    place: 'src/trial',
    imports: PURE,
    packages: ['jsonpatch', 'yaml', 'zod'],
    pure: true,
  },
  {
    place: 'src/admission',
    imports: ['src/guardrails', 'src/rules', 'src/model'],
    packages: ['jsonpatch'],
    pure: true,
  },
  { place: 'src/guardrails', imports: ['src/rules', 'src/model'], packages: ['yaml', 'zod'], pure: true },
  { place: 'src/rules', imports: ['src/model'], packages: ['zod'], pure: true },
  { place: 'src/model', imports: [], packages: [], pure: true },
];

const root = dirname(import.meta.dirname);

describe('the architecture', () => {
  test('is kept by every file of src', () => {
    const files = globSync('src/**/*.ts', { cwd: root }).sort();
    assert.ok(files.length > 0);
    assert.deepEqual(
      files.flatMap((file) => violationsOf(file, readFileSync(join(root, file), 'utf8'), LAYERS)),
      [],
    );
  });

  test('names every file and folder after its subject', () => {
    const files = globSync(['src/**/*', 'test/**/*', 'tools/*'], { cwd: root });
    assert.deepEqual(files.flatMap(nameViolationsOf), []);
  });

  test('has no empty folder', () => {
    const folders = ['src', 'test', 'docs', 'tools'].filter((folder) => existsSync(join(root, folder)));
    const inside = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.parentPath.includes('node_modules'))
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    const empty = inside.filter((folder) => readdirSync(folder).length === 0);
    assert.deepEqual(
      empty.map((folder) => `${relative(root, folder)}: is empty; remove it`),
      [],
    );
  });
});

describe('the check of the architecture', () => {
  const head = '// What it holds.\n';
  const cases: readonly (readonly [title: string, file: string, source: string, expected: RegExp])[] = [
    [
      'an arrow up',
      'src/model/a.ts',
      "import { b } from '../rules/b.ts';",
      /^src\/model\/a.ts:2: arrow src\/model → src\/rules .*only itself/,
    ],
    [
      'an arrow sideways',
      'src/http/a.ts',
      "import { b } from '../audit/b.ts';",
      /^src\/http\/a.ts:2: arrow src\/http → src\/audit /,
    ],
    [
      'a type import',
      'src/rules/a.ts',
      "import type { B } from '../admission/b.ts';",
      /arrow src\/rules → src\/admission/,
    ],
    [
      'an import over many lines',
      'src/rules/a.ts',
      "import {\n  a,\n  b as c,\n} from '../http/b.ts';",
      /a.ts:5: arrow/,
    ],
    ['a side effect', 'src/rules/a.ts', "import '../audit/b.ts';", /arrow src\/rules → src\/audit/],
    ['a re-export', 'src/rules/a.ts', "export { a } from '../audit/b.ts';", /arrow src\/rules → src\/audit/],
    ['a re-export of all', 'src/rules/a.ts', "export * from '../audit/b.ts';", /arrow src\/rules → src\/audit/],
    [
      'a re-export of types',
      'src/rules/a.ts',
      "export type { A } from '../audit/b.ts';",
      /arrow src\/rules → src\/audit/,
    ],
    ['an import inside a type', 'src/http/a.ts', "type A = import('../audit/b.ts').A;", /arrow src\/http → src\/audit/],
    ['a dynamic import', 'src/http/a.ts', "const b = await import('../audit/b.ts');", /arrow src\/http → src\/audit/],
    ['a computed import', 'src/http/a.ts', 'const b = await import(name);', /computed name/],
    [
      'an import inside a template',
      'src/http/a.ts',
      "const b = `a${`}${await import('../tls/b.ts')}`}`;",
      /→ src\/tls/,
    ],
    ['a package', 'src/model/a.ts', "import { z } from 'zod';", /arrow src\/model → zod .*no package/],
    ['a scoped package', 'src/http/a.ts', "import { a } from '@peculiar/x509/build';", /→ @peculiar\/x509 .*express/],
    [
      'a module of node in a pure folder',
      'src/rules/a.ts',
      "import { readFileSync } from 'node:fs';",
      /imports node:fs/,
    ],
    ['main that knows more than commands', 'src/main.ts', "import { a } from './model/a.ts';", /main.ts → src\/model/],
    ['a folder that is not in the table', 'src/other/a.ts', '', /in no place of the table/],
    ['an import of it', 'src/http/a.ts', "import { a } from '../other/a.ts';", /arrow src\/http → src\/other\/a.ts/],
    ['process', 'src/model/a.ts', 'const home = process.env.HOME;', /no `process`/],
    ['the clock', 'src/model/a.ts', 'const now = Date.now();', /does not read the clock/],
    ['a new date of now', 'src/model/a.ts', 'const now = new Date();', /does not read the clock/],
    ['a new date without brackets', 'src/model/a.ts', 'const now = new Date;', /does not read the clock/],
    ['chance', 'src/model/a.ts', 'const a = Math.random();', /no chance/],
    ['output', 'src/model/a.ts', 'console.log(1);', /no `console`/],
    ['a timer', 'src/model/a.ts', 'setTimeout(f, 1);', /no `setTimeout`/],
    ['async', 'src/model/a.ts', 'export const f = async (): Promise<void> => {};', /no `async`/],
    ['a promise', 'src/model/a.ts', 'const a = Promise.resolve(1);', /no `Promise`/],
    ['a new promise', 'src/model/a.ts', 'const a = new Promise<void>(f);', /no `Promise`/],
    ['a word between ? and :', 'src/model/a.ts', 'const a = b ? console : c;', /no `console`/],
    [
      'a regular expression with a quote before the fault',
      'src/model/a.ts',
      "const a = /'/; process.exit();",
      /no `process`/,
    ],
    ['a default export', 'src/http/a.ts', 'export default 1;', /a.ts:2: has a default export/],
    ['a renamed default export', 'src/http/a.ts', 'export { a as default };', /has a default export/],
    ['too many lines', 'src/http/a.ts', '\n'.repeat(200), /has 201 lines of 200 at most/],
  ];
  for (const [title, file, source, expected] of cases) {
    test(`finds ${title}`, () => {
      assert.match(violationsOf(file, head + source, LAYERS)[0] ?? 'nothing was found', expected);
    });
  }

  test('finds a file that does not say what it holds', () => {
    assert.match(violationsOf('src/http/a.ts', 'export const a = 1;\n', LAYERS)[0] ?? '', /begin with a comment/);
  });

  test('finds a name that says nothing', () => {
    assert.deepEqual(nameViolationsOf('src/http/utils.ts').length, 1);
    assert.deepEqual(nameViolationsOf('test/helpers/a.test.ts').length, 1);
  });

  test('finds a second index.ts', () => {
    assert.deepEqual(nameViolationsOf('src/http/index.ts').length, 1);
    assert.deepEqual(nameViolationsOf('src/rules/index.ts'), []);
  });

  test('lets pass what only looks like a fault', () => {
    const source = `${head}
import type { Pod } from '../model/pod.ts'; // import '../audit/b.ts'
/* process.exit() */
const said = 'process console async'; // "await"
const shown = \`Date.now() \${said} setTimeout\`;
const pattern = /import '..\\/audit'|[/']console/;
const half = said.length / 2; const other = half / 3;
const at = new Date(half); const parsed = Date.parse(said); let day: Date;
const own = { process: 1 }.process;
export { said as "x" }; export const a = { import: 1, ...half };
interface Sink { close(): Promise<void>; process?: string }
export const from = Math.max(1, 2);
`;
    assert.deepEqual(violationsOf('src/rules/a.ts', source, LAYERS), []);
  });
});
