// The cluster from files: YAML and JSON, single objects and lists, folders; and every mistake in them with its place.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readClusterFiles } from '../../src/cluster/files.ts';
import { toMistakeText } from '../../src/guardrails/mistake.ts';
import { readPod } from '../../src/model/read-pod.ts';

const folder = mkdtempSync(join(tmpdir(), 'podrail-cluster-files-'));
after(() => rmSync(folder, { recursive: true }));

const NODE = 'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\nstatus: { allocatable: { cpu: 4 } }\n';
const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { nodeName: n1, containers: [{ name: a, resources: { requests: { cpu: 2 } } }] }\n';
const SELF = readPod({ metadata: { name: 'self' }, spec: { containers: [] } });

let files = 0;
const write = (text: string, name = `${files++}.yaml`): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};

/** How much cpu `n1` can hold and the others hold, and the mistakes without the folder's name. */
const read = (...paths: readonly string[]) => {
  const { view, mistakes } = readClusterFiles(paths);
  const node = view.node('n1', SELF);
  return {
    cpu: node?.allocatable.get('cpu')?.written,
    held: node?.heldByOthers({ minor: 37 }).get('cpu')?.nanos,
    mistakes: mistakes.map((mistake) => toMistakeText(mistake).replaceAll(`${folder}/`, '')),
  };
};

const WHOLE = { cpu: '4', held: 2_000_000_000n, mistakes: [] };

describe('a cluster is read from', () => {
  it('a YAML file with several documents', () => {
    assert.deepEqual(read(write(`${NODE}---\n${POD}---\n# nothing\n`)), WHOLE);
  });

  it('several files', () => {
    assert.deepEqual(read(write(NODE), write(POD)), WHOLE);
  });

  it('the .yaml, .yml and .json files of a folder, and no others', () => {
    write(NODE, 'whole/node.yml');
    write(POD, 'whole/pod.yaml');
    write('not: [yaml', 'whole/README.md');
    assert.deepEqual(read(join(folder, 'whole')), WHOLE);
  });

  it('a List as kubectl prints it, in YAML', () => {
    const items = [NODE, POD].map((text) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`).join('');
    assert.deepEqual(read(write(`apiVersion: v1\nkind: List\nitems:\n${items}`)), WHOLE);
  });

  it('the lists of the API server, whose items do not say what they are', () => {
    const nodes = {
      apiVersion: 'v1',
      kind: 'NodeList',
      items: [{ metadata: { name: 'n1' }, status: { allocatable: { cpu: '4' } } }],
    };
    const container = { name: 'a', resources: { requests: { cpu: '2' } } };
    const pods = {
      apiVersion: 'v1',
      kind: 'PodList',
      items: [{ metadata: { name: 'a' }, spec: { nodeName: 'n1', containers: [container] } }],
    };
    assert.deepEqual(read(write(JSON.stringify(nodes), 'nodes.json'), write(JSON.stringify(pods), 'pods.json')), WHOLE);
  });

  it('a bare JSON list of objects', () => {
    const objects = [
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status: { allocatable: { cpu: '4' } } },
    ];
    assert.deepEqual(read(write(JSON.stringify(objects), 'list.json')), { cpu: '4', held: undefined, mistakes: [] });
  });

  it('no file at all, and is then empty', () => {
    assert.deepEqual(read(), { cpu: undefined, held: undefined, mistakes: [] });
  });
});

describe('a mistake in a cluster file is told with its place', () => {
  const mistakesIn = (text: string, name?: string) => read(write(text, name)).mistakes;

  it('all of them at once, and the good objects are read all the same', () => {
    const bad = 'apiVersion: v1\nkind: Node\nmetadata:\n  name: n2\nstatus:\n  allocatable:\n    cpu: four\n';
    assert.deepEqual(read(write(`${NODE}---\n${bad}---\n${POD}---\nkind: [\n`, 'several.yaml')), {
      ...WHOLE,
      mistakes: [
        'several.yaml:12:10 status.allocatable[cpu] must be a quantity from 0 on, not "four"',
        'several.yaml:20:1 a list in [ ] must be closed with ], and each of its lines must be indented by more than the key it belongs to',
      ],
    });
  });

  it('in an item of a list', () => {
    const text =
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: { name: a }\n  spec:\n    containers: none\n';
    assert.deepEqual(mistakesIn(text, 'item.yaml'), ['item.yaml:8:17 spec.containers must be a list, not a string']);
  });

  it('in JSON', () => {
    const text =
      '{"apiVersion": "v1",\n "kind": "Pod",\n "metadata": {"name": "a"},\n "spec": {"containers": [{"name": 7}]}}\n';
    assert.deepEqual(mistakesIn(text, 'pod.json'), [
      'pod.json:4:35 spec.containers[0].name must be a string, not a number',
    ]);
  });

  it('in JSON that is none', () => {
    assert.deepEqual(mistakesIn('{"kind": "Pod",,}', 'broken.json').length > 0, true);
  });

  it('where a file does not exist', () => {
    assert.deepEqual(read(join(folder, 'none.yaml')).mistakes, ['none.yaml does not exist']);
  });

  it('where a folder has nothing to read', () => {
    mkdirSync(join(folder, 'empty'));
    assert.deepEqual(
      read(join(folder, 'empty')).mistakes.map((text) => text.replace(/^.*empty/, 'empty')),
      ['empty holds no .yaml, .yml or .json file'],
    );
  });

  it('where a document is no object', () => {
    assert.deepEqual(mistakesIn('just words\n', 'words.yaml'), ['words.yaml:1:1 must be a map, not a string']);
  });

  it('where an item of a list is no object', () => {
    assert.deepEqual(mistakesIn('kind: PodList\nitems: [null, 1]\n', 'items.yaml'), [
      'items.yaml:2:9 must be a map, not null',
      'items.yaml:2:15 must be a map, not a number',
    ]);
  });
});
