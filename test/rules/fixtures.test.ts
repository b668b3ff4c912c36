// Every rule against its fixtures. Rule, folder and file name read as one sentence: "resize-fits-now finds memory beyond what is left".
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import jsonpatch from 'jsonpatch';
import { compareNames } from '../../src/model/resources.ts';
import type { Facts } from '../../src/rules/facts.ts';
import { RULES } from '../../src/rules/index.ts';
import type { Finding, Rule } from '../../src/rules/rule.ts';
import { assertGrammar } from './grammar.ts';
import { type Fixture, type FixtureFile, factsOf, fixturesOf, sentPod } from './read-fixture.ts';

const ids = RULES.map((rule) => rule.id);

test('every fixture folder belongs to a rule', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(
    folders
      .map((folder) => `test/rules/${folder.name}`)
      .filter((folder) => !ids.includes(folder.slice('test/rules/'.length))),
    [],
  );
});

for (const rule of RULES) {
  describe(rule.id, () => {
    const files = existsSync(join(import.meta.dirname, rule.id)) ? fixturesOf(rule.id) : [];

    test('has a fixture that passes, one that finds, and one that fixes where there is a fix', () => {
      const wanted = ['passes', 'finds', ...(rule.fix === undefined ? [] : ['fixes'])];
      const kinds = new Set(files.map(({ name }) => kindOf(name)));
      assert.deepEqual(
        wanted.filter((kind) => !kinds.has(kind)).map((kind) => `test/rules/${rule.id}/${kind}-….yaml is missing`),
        [],
      );
      assert.deepEqual(
        [...kinds].filter((kind) => !wanted.includes(kind)),
        [],
      );
    });

    for (const file of files) test(file.name.replaceAll('-', ' '), () => judge(rule, file));
  });
}

function judge(rule: Rule, { name, fixture }: FixtureFile): void {
  assert.ok(rule.scopes.includes(fixture.scope), `${rule.id} is never asked on ${fixture.scope}`);
  const settings = rule.settings.parse(fixture.settings);
  const facts = deepFreeze(gathered(factsOf(fixture)));
  const findings = rule.check(facts, settings);
  assert.deepEqual(findings, fixture.findings, 'what is found');
  assert.deepEqual(rule.check(facts, settings), findings, 'asked twice');
  assert.deepEqual([...findings].sort(byPlace), findings, 'the order of findings');
  for (const finding of findings) assertGrammar(finding);
  assert.equal(findings.length > 0, kindOf(name) !== 'passes', `a ${kindOf(name)} fixture`);
  assert.equal(fixture.patch !== undefined, kindOf(name) === 'fixes', 'only a fixes fixture has a patch');
  if (rule.fix !== undefined) assertFix(rule.fix, rule, fixture, facts, settings);
}

function assertFix(fix: NonNullable<Rule['fix']>, rule: Rule, fixture: Fixture, facts: Facts, settings: unknown): void {
  const patch = fix(facts, settings);
  if (fixture.patch !== undefined) assert.deepEqual(patch, fixture.patch, 'the patch');
  const isLeft = isDeepStrictEqual(fixture.findings, fixture.left);
  assert.equal(patch.length > 0, !isLeft, 'a patch for what is no longer found, and none without');
  const fixed: unknown = jsonpatch.apply_patch(structuredClone(sentPod(fixture)), structuredClone([...patch]));
  const fixedFacts = factsOf(fixture, fixed as Record<string, unknown>);
  assert.deepEqual(rule.check(fixedFacts, settings), fixture.left, 'after the fix nothing is found but what is left');
  assert.deepEqual(fix(fixedFacts, settings), [], 'a second fix is empty');
}

function kindOf(name: string): string {
  return name.slice(0, name.indexOf('-'));
}

// Containers before init containers before the pod as a whole, each by position; within one requests, limits, others; then cpu,
// memory, and by name.
function byPlace(a: Finding, b: Finding): number {
  const [first, second] = [placeOf(a.path), placeOf(b.path)];
  return (
    first.container - second.container || first.list - second.list || compareNames(first.resource, second.resource)
  );
}

interface Place {
  readonly container: number;
  readonly list: number;
  readonly resource: string;
}

function placeOf(path: string): Place {
  const [, kind, index] = /^spec\.(containers|initContainers)\[(\d+)\]/.exec(path) ?? [];
  const [, list, resource] = /resources\.(requests|limits)[.[]([^\]]+)/.exec(path) ?? [];
  const container = kind === undefined ? 1_000_000 : Number(index) + (kind === 'containers' ? 0 : 1_000);
  return { container, list: list === undefined ? 2 : Number(list === 'limits'), resource: resource ?? '' };
}

/** A plain copy of the facts, with everything asked that is worked out only then: only values can be frozen. */
function gathered(facts: Facts): Facts {
  const { scope, pod, before, changes, node, namespace, autoscalers, requester, version, now } = facts;
  const held = namespace.heldByOthers();
  const inNamespace = { ...namespace, heldByOthers: () => held && deepFreeze(held) };
  return {
    scope,
    pod,
    before,
    changes,
    node: withHeld(node, version),
    namespace: inNamespace,
    autoscalers,
    requester,
    version,
    now,
  };
}

function withHeld(node: Facts['node'], version: Facts['version']): Facts['node'] {
  if (node.state !== 'known') return node;
  const held = deepFreeze(node.heldByOthers(version));
  return { ...node, heldByOthers: () => held };
}

// A map cannot be frozen: its changing methods are taken away instead.
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Map) {
    for (const inner of value.values()) deepFreeze(inner);
    if (Object.isExtensible(value)) Object.assign(value, { set: refuse, delete: refuse, clear: refuse });
    return Object.freeze(value);
  }
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

function refuse(): never {
  throw new TypeError('a rule must not change its facts');
}
