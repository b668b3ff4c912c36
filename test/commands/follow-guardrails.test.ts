// The guardrails of files are followed while podrail serves: every change comes into force, and no mistake does.
import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { decisionFilesOf } from '../../src/commands/decision-files.ts';
import { followGuardrails, readStill } from '../../src/commands/follow-guardrails.ts';
import { UsageError } from '../../src/commands/usage-error.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import type { Policy } from '../../src/guardrails/policy.ts';
import { mountFiles } from './mounted-files.ts';

const root = mkdtempSync(join(tmpdir(), 'podrail-follow-'));
after(() => rmSync(root, { recursive: true }));

const guardrail = (name: string, rules = 'resize-frozen: { reason: later }'): string =>
  `apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: ${name} }\nspec: { rules: { ${rules} } }\n`;
const MISTAKE = guardrail('wrong', 'resize-frosen: {}');

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(root, 'd-'));
  for (const [name, text] of Object.entries(files)) put(folder, name, text);
  return folder;
};
/** Puts a file in its place whole. */
const put = (folder: string, name: string, text: string): void => {
  const unfinished = join(root, `unfinished-${name}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, join(folder, name));
};
// Where a test gives an hour, it is not the poll that it relies on.
const HOUR_MS = 3_600_000;

interface Followed {
  /** The names of the guardrails that are in force at first. */
  readonly first: readonly string[];
  /** What happens next: the names that come into force, or the mistakes that are logged. */
  readonly next: () => Promise<readonly string[]>;
  /** Whether each reading until now found no mistake. */
  readonly readings: readonly boolean[];
  /** Whether others had their turn during each reading that found no mistake. */
  readonly hadTurns: readonly boolean[];
}

const namesIn = ({ guardrails }: Policy): readonly string[] => guardrails.map(({ name }) => name).slice(0, -1);

const follow = (context: TestContext, paths: readonly string[], pollMs = HOUR_MS): Followed => {
  const emitter = new EventEmitter();
  const happened = on(emitter, 'happened');
  const readings: boolean[] = [];
  const hadTurns: boolean[] = [];
  const { first, close } = followGuardrails({
    paths,
    *read() {
      let hadTurn = false;
      setImmediate(() => (hadTurn = true));
      const { policy } = yield* decisionFilesOf(createBaseline('off'), paths, [], new Date());
      hadTurns.push(hadTurn);
      return policy;
    },
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (fields) => emitter.emit('happened', (fields as { readonly mistakes: readonly string[] }).mistakes),
    },
    onChange: (policy) => emitter.emit('happened', namesIn(policy)),
    onRead: (isGood) => readings.push(isGood),
    pollMs,
  });
  context.after(close);
  return {
    first: namesIn(first),
    readings,
    hadTurns,
    async next() {
      const { value } = (await happened.next()) as unknown as { readonly value: readonly [readonly string[]] };
      return value[0];
    },
  };
};

describe('followed guardrails', { timeout: 60_000 }, () => {
  it('come into force when Kubernetes replaces what is in a ConfigMap', async (context) => {
    const { folder, replace } = mountFiles(folderOf({}), ['a.yaml', 'b.yaml']);
    replace([guardrail('one'), guardrail('two')]);
    const { first, next } = follow(context, [folder]);
    assert.deepEqual(first, ['one', 'two']);
    replace([guardrail('three'), guardrail('two')]);
    assert.deepEqual(await next(), ['three', 'two']);
    replace([guardrail('four'), '']);
    assert.deepEqual(await next(), ['four']);
  });

  it('come into force when a file is replaced, comes or goes', async (context) => {
    const folder = folderOf({ 'a.yaml': guardrail('one') });
    const { next } = follow(context, [folder]);
    put(folder, 'a.yaml', guardrail('two'));
    assert.deepEqual(await next(), ['two']);
    put(folder, 'b.yaml', guardrail('three'));
    assert.deepEqual(await next(), ['two', 'three']);
    rmSync(join(folder, 'a.yaml'));
    assert.deepEqual(await next(), ['three']);
  });

  it('come into force when a file that is named by itself is replaced', async (context) => {
    const folder = folderOf({ 'a.yaml': guardrail('one'), 'other.yaml': guardrail('other') });
    const { first, next } = follow(context, [join(folder, 'a.yaml')]);
    assert.deepEqual(first, ['one']);
    put(folder, 'a.yaml', guardrail('two'));
    assert.deepEqual(await next(), ['two']);
  });

  it('come into force where the file system tells of no change: their folder was replaced', async (context) => {
    const folder = folderOf({ 'a.yaml': guardrail('one') });
    const { next } = follow(context, [folder], 20);
    renameSync(folderOf({ 'a.yaml': guardrail('two') }), `${folder}-new`);
    renameSync(folder, `${folder}-old`);
    renameSync(`${folder}-new`, folder);
    // Between the two there may have been a reading that found no folder.
    const happened = await next();
    assert.deepEqual(happened[0] === `${folder} does not exist` ? await next() : happened, ['two']);
  });

  it('stay as they are while there is a mistake, which is told with its place, until it is mended', async (context) => {
    const folder = folderOf({ 'a.yaml': guardrail('one') });
    const { next, readings } = follow(context, [folder]);
    put(folder, 'b.yaml', `${guardrail('two')}---\n${MISTAKE}`);
    const file = join(folder, 'b.yaml');
    assert.deepEqual(await next(), [`${file}:9:18 unknown rule resize-frosen; did you mean resize-frozen?`]);
    put(folder, 'b.yaml', guardrail('three'));
    assert.deepEqual(await next(), ['one', 'three']);
    assert.deepEqual(readings, [true, false, true]);
  });

  it('stay as they are when their folder is empty, or gone', async (context) => {
    const folder = folderOf({ 'a.yaml': guardrail('one') });
    const { next } = follow(context, [folder], 20);
    rmSync(join(folder, 'a.yaml'));
    assert.deepEqual(await next(), [`${folder} holds no .yaml, .yml or .json file`]);
    rmSync(folder, { recursive: true });
    assert.deepEqual(await next(), [`${folder} does not exist`]);
  });

  it('are never half of what somebody is writing', async () => {
    const seen = ['', 'one', 'one two', 'one two', 'three'];
    assert.equal(
      await readStill(
        () => seen.shift() ?? '',
        () => Promise.resolve(),
      ),
      'one two',
    );
  });

  it('are not waited for without end while they keep changing', async () => {
    let writes = 0;
    let waits = 0;
    const still = await readStill(
      () => String(writes++),
      () => Promise.resolve(void waits++),
    );
    assert.deepEqual([still, waits], [undefined, 100]);
  });

  it('let others have their turn while many of them are read', async (context) => {
    const folder = folderOf({ 'a.yaml': guardrail('one') });
    const { next, hadTurns } = follow(context, [folder]);
    const many = Array.from({ length: 1_000 }, (_, index) => `g-${index}`);
    put(folder, 'a.yaml', many.map((name) => guardrail(name)).join('---\n'));
    assert.deepEqual(await next(), many);
    // Nobody asks for anything while the first are read.
    assert.deepEqual(hadTurns, [false, true]);
  });

  it('must have no mistake to begin with', () => {
    const folder = folderOf({ 'a.yaml': MISTAKE });
    assert.throws(
      () => follow({ after: () => undefined } as unknown as TestContext, [folder]),
      new UsageError(`${join(folder, 'a.yaml')}:4:18 unknown rule resize-frosen; did you mean resize-frozen?`),
    );
  });
});
