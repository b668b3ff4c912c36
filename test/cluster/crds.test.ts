// The CRDs on a real API server: it accepts them, refuses each bad document that podrail refuses, and none that is good.
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { RULES } from '../../src/rules/index.ts';
import { BAD_DOCUMENTS } from '../guardrails/bad-documents.ts';
import { fixturesOf } from '../rules/read-fixture.ts';
import { repository } from './programs.ts';
import { clusterForSuite } from './suite-cluster.ts';

const FOLDER = join(repository, 'manifests/crds');
// `kubectl wait` of 1.33 fails on a definition that has no conditions yet.
const UNTIL_SERVED =
  'for i in $(seq 240); do kubectl get guardrails,guardrailexceptions && exit 0; sleep 0.5; done; exit 1';
const CREATE = 'kubectl create --dry-run=server -f -';

/** Guardrails that people have written: examples, cases, and the README. */
function writtenGuardrails(): readonly string[] {
  const files = globSync(['examples/guardrails/**/*.yaml', 'test/cases/guardrails/*.yaml'], { cwd: repository });
  const texts = files.map((file) => readFileSync(join(repository, file), 'utf8'));
  const documents = texts.filter((text) => /^kind: Guardrail/m.test(text));
  const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: repository }).map((file) =>
    readFileSync(join(repository, file), 'utf8'),
  );
  const shown = pages.flatMap((page) =>
    [...page.matchAll(/```yaml guardrail\n([\s\S]*?)```/g)].map(([, text = '']) => text),
  );
  return [...documents, ...shown];
}

/** A guardrail for each way in which a fixture sets a rule, as one list. */
function fixtureGuardrails(): string {
  const settings = RULES.flatMap(({ id }) => {
    const all = fixturesOf(id).map(({ fixture }) => JSON.stringify(fixture.settings));
    return [...new Set(all)].map((json) => ({ id, own: JSON.parse(json) as object }));
  });
  const items = settings.map(({ id, own }, index) => ({
    apiVersion: 'podrail.dev/v1alpha1',
    kind: 'Guardrail',
    metadata: { name: `${id}-${index}` },
    spec: { rules: { [id]: { mode: 'off', ...own } } },
  }));
  assert.ok(items.length > RULES.length);
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

describe('the CRDs', () => {
  const cluster = clusterForSuite();

  before(async () => {
    const { admin } = cluster();
    for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.podrail.dev.yaml'))) {
      await admin.must('kubectl apply -f -', readFileSync(join(FOLDER, file), 'utf8'));
    }
    await admin.must(UNTIL_SERVED);
  });

  it('are accepted without a word of what is wrong with their schemas', async () => {
    const said = await cluster().admin.must('kubectl get crd --output json');
    const { items } = JSON.parse(said) as { items: { status: { conditions: { type: string; status: string }[] } }[] };
    const conditions = items.map(({ status }) =>
      status.conditions
        .map(({ type, status: is }) => `${type} ${is}`)
        .filter((one) => !one.startsWith('NamesAccepted')),
    );
    assert.deepEqual(conditions, [['Established True'], ['Established True']]);
  });

  for (const { what, text, message, unknownToCrd } of BAD_DOCUMENTS) {
    it(`${unknownToCrd === undefined ? 'refuse' : 'cannot refuse'} ${what}`, async () => {
      const { code, err } = await cluster().admin.run(CREATE, text);
      assert.equal(code === 0, unknownToCrd !== undefined, `${err}\npodrail says: ${message}`);
    });
  }

  it('refuse nothing that a fixture of a rule sets', async () => {
    await cluster().admin.must(CREATE, fixtureGuardrails());
  });

  it('refuse no guardrail of the examples, the cases and the pages', async () => {
    const texts = writtenGuardrails();
    assert.ok(texts.length > 25);
    for (const text of texts) assert.deepEqual(readGuardrails(text, 'g.yaml').mistakes, []);
    await cluster().admin.must(CREATE, texts.join('\n---\n'));
  });

  it('take `off` without quotes, and a list that is empty', async () => {
    const text = `apiVersion: podrail.dev/v1alpha1
kind: Guardrail
metadata: { name: a }
spec:
  mode: off
  match: { namespaces: [], podSelector: {}, users: [] }
  exclude: { containers: [], groups: [] }
  rules: { pod-size: { mode: off }, container-size: { max: { cpu: 2, memory: 4Gi, nvidia.com/gpu: 1, hugepages-2Mi: 1Gi } } }
`;
    assert.deepEqual(readGuardrails(text, 'g.yaml').mistakes, []);
    await cluster().admin.must(CREATE, text);
  });
});
