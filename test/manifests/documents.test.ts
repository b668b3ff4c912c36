// Manifest files: where documents begin, what is YAML and what JSON, which pods are in them, and where a field stands.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLines, toSteps } from '../../src/guardrails/places.ts';
import { type ManifestDocument, readManifestParts } from '../../src/manifests/documents.ts';
import { readWorkloads } from '../../src/manifests/workloads.ts';

function manifestsOf(text: string): readonly ManifestDocument[] {
  return [...readManifestParts(text)].flatMap((part) => (part.is === 'manifest' ? [part.manifest] : []));
}

/** `line:column text` of what is pointed at for a path. */
function pointed(text: string, path: string, document = 0): string {
  const { start, end } = manifestsOf(text)[document]?.spanOf(toSteps(path)) ?? { start: 0, end: 0 };
  const { line, column } = createLines(text)(start);
  return `${line}:${column} ${text.slice(start, end)}`;
}

function outlineOf(text: string): readonly string[] {
  const toPlace = createLines(text);
  return [...readManifestParts(text)].map((part) => {
    if (part.is === 'manifest') return String((part.manifest.value as { readonly kind: string }).kind);
    if (part.is === 'other' || part.is === 'no-object') return part.is;
    const { line, column } = toPlace(part.offset);
    return `${line}:${column} ${part.message}`;
  });
}

const POD = 'kind: Pod\napiVersion: v1\n';

describe('a document with a great many blank lines behind it', () => {
  const valuesOf = (text: string): readonly unknown[] => manifestsOf(text).map(({ value }) => value);
  const blank = '\n'.repeat(3_000);

  it('is the document without them, and what follows stands where it stood', () => {
    const text = `${POD}x: |\n  a\n${blank}---\n${POD}x: b\n`;
    assert.deepEqual(valuesOf(text), valuesOf(text.replace(blank, '')));
    assert.equal(pointed(text, 'x', 1), `${4 + 3_000 + 4}:4 b`);
  });

  it('keeps those of a text that says so', () => {
    assert.deepEqual(valuesOf(`${POD}x: |+\n  a\n${blank}`), [{ kind: 'Pod', apiVersion: 'v1', x: `a\n${blank}` }]);
  });
});

describe('a manifest file', () => {
  const files: readonly (readonly [title: string, text: string, outline: readonly string[]])[] = [
    [
      'has the documents that its lines of --- part',
      `${POD}---\n${POD}--- # next\n---\nkind: Service\n---\n# nothing\n`,
      ['Pod', 'Pod', 'other'],
    ],
    [
      'has documents behind ... and behind text on the line of ---',
      `${POD}...\n${POD}--- {kind: Job}\n`,
      ['Pod', 'Pod', 'Job'],
    ],
    ['has no document where --- stands inside a line', `${POD}metadata: {name: "a ---"}\nx: |\n  ---\n  y\n`, ['Pod']],
    ['has a document behind directives', `%YAML 1.1\n# c\n---\n${POD}`, ['Pod']],
    ['is JSON', '{"kind":"Pod"}', ['Pod']],
    ['is JSON, indented with tabs', '{\n\t"kind": "Pod",\n\t"x": [\n\t\t1\n\t]\n}\n', ['Pod']],
    ['is several JSON values', '{"kind":"Pod"}\n{"kind":"Job"} {"a":1}', ['Pod', 'Job', 'no-object']],
    ['is JSON and YAML in turn', `{"kind":"Pod"}\n---\n${POD}---\n{kind: Job}\n`, ['Pod', 'Pod', 'Job']],
    ['is YAML that begins like JSON', '{kind: Pod, x: y}\n', ['Pod']],
    ['may be empty', '', []],
    ['may hold only comments', '# a\n---\n# b\n', []],
    ['may hold what is no object', '- a\n---\nb\n---\n12\n', ['no-object', 'no-object', 'no-object']],
    [
      'keeps the good documents beside broken ones',
      `a: [1\n---\n${POD}---\na: 1\na: 2\n---\n\ta: 1\n---\n${POD}`,
      [
        '2:1 a list in [ ] must be closed with ], and each of its lines must be indented by more than the key it belongs to',
        'Pod',
        '7:1 key a must stand once in its map; it stands twice',
        '9:1 a line must be indented with spaces; this one has a tab',
        'Pod',
      ],
    ],
    [
      'may not have a key twice in JSON behind a separator either',
      '---\n{"kind":"Pod",\n "spec": {"b": 1, "b": 2}}',
      ['3:19 key "b" must stand once in its map; it stands twice'],
    ],
    [
      'may not have a key twice in JSON',
      '{"kind":"Pod",\n "spec": {"a": {"b": 1, "c": [{}], "b": 2}}}',
      ['2:36 key "b" must stand once in its map; it stands twice'],
    ],
    ['may not be broken JSON', '{"kind":"Pod",\n "spec": }{', ['2:11 Unexpected flow-map-start at node end']],
  ];
  for (const [title, text, outline] of files) it(title, () => assert.deepEqual(outlineOf(text), outline));

  it('may not have aliases that expand without bound', () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(9)}*a${level}]`,
    );
    assert.deepEqual(outlineOf(`${POD}a0: &a0 [x]\n${levels.join('\n')}\n`), [
      '12:10 aliases must expand to no more than kubectl reads; they expand to 3,580,246,916 values, this one to the most',
    ]);
    const merges = levels.map((line) => line.replace('[', '{ <<: [').replace(/\]$/, '] }'));
    assert.match(
      outlineOf(`${POD}a0: &a0 {x: y}\n${merges.join('\n')}\n`).join(),
      /^12:\d+ aliases must expand to no more than kubectl reads; they expand to [\d,]+ values, this one to the most$/,
    );
  });

  it('may use an anchor hundreds of times', () => {
    const text = `${POD}x: &x {a: b}\nall:\n${'- *x\n'.repeat(300)}`;
    assert.deepEqual(outlineOf(text), ['Pod']);
  });

  it('may not have an alias of itself, or of nothing', () => {
    assert.deepEqual(outlineOf(`${POD}a: &a [*a]\n`), [
      '3:8 alias *a must stand for what is written before it as &a; nothing is',
    ]);
    assert.deepEqual(outlineOf(`${POD}a: *b # &\n`), [
      '3:4 alias *b must stand for what is written before it as &b; nothing is',
    ]);
  });

  it('may not be nested without end', () => {
    assert.match(
      outlineOf(`${POD}a: ${'['.repeat(50_000)}\n`).join(),
      /^3:\d+ this document is nested too deep to be read$/,
    );
    assert.match(
      outlineOf(`{"kind":"Pod","a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`).join(),
      /^1:1 this document is nested too deep/,
    );
  });

  it('may not have a document of more than 16 MiB, but any number of smaller ones', () => {
    const large = `${POD}x: ${'y'.repeat(16 * 1024 * 1024)}\n`;
    assert.deepEqual(outlineOf(`${POD}---\n${large}---\n${POD}`), [
      'Pod',
      '3:1 this document is larger than 16 MiB, which no API server takes; split it',
      'Pod',
    ]);
  });
});

describe('a place in a manifest', () => {
  const TEXT = `${POD}spec:\n  containers:\n  - name: app # c\n    resources: &r\n      limits: {cpu: 1, "memory": '2Gi' , nvidia.com/gpu: 1}\n      requests:\n  - image: x\n    resources: *r\n    name: b\n  -\n    name: c\n    resources:\n      <<: *r\n`;
  const places: readonly (readonly [path: string, at: string])[] = [
    ['spec.containers[0].resources.limits[cpu]', '7:21 1'],
    ['spec.containers[0].resources.limits[memory]', "7:34 '2Gi'"],
    ['spec.containers[0].resources.limits[nvidia.com/gpu]', '7:58 1'],
    ['spec.containers[0].resources.limits', '7:7 limits'],
    ['spec.containers[0].resources.requests', '8:7 requests'],
    ['spec.containers[0].resources.requests[cpu]', '8:7 requests'],
    ['spec.containers[0].resources.claims', '6:5 resources'],
    ['spec.containers[0].resizePolicy', '5:5 name: app'],
    ['spec.containers[1].resources', '10:16 *r'],
    ['spec.containers[1].resources.limits[cpu]', '7:21 1'],
    ['spec.containers[2].resources.limits[cpu]', '7:21 1'],
    ['spec.containers[3].name', '4:3 containers'],
    ['spec.overhead', '3:1 spec'],
    ['metadata.name', '1:1 kind: Pod'],
    ['', '1:1 kind: Pod'],
  ];
  for (const [path, at] of places)
    it(`for ${path || 'the document'} is ${at}`, () => assert.equal(pointed(TEXT, path), at));

  it('counts from the start of the file', () =>
    assert.equal(pointed(`# a\n---\n${TEXT}`, 'spec.overhead'), '5:1 spec'));

  const JSON_TEXT =
    '{"kind":"Pod",\n "spec": {"containers": [{"na\\u006de": "a", "resources": {"limits": {"cpu": "1"}}}, {"x": []}]}}';
  const inJson: readonly (readonly [path: string, at: string])[] = [
    ['spec.containers[0].resources.limits[cpu]', '2:77 "1"'],
    ['spec.containers[0].resources.limits[memory]', '2:59 "limits"'],
    ['spec.containers[0].name', '2:40 "a"'],
    ['spec.containers[1]', '2:85 {'],
    ['spec.containers[1].x', '2:86 "x"'],
    ['spec.containers[2].x', '2:11 "containers"'],
    ['', '1:1 {'],
  ];
  for (const [path, at] of inJson)
    it(`in JSON for ${path || 'the document'} is ${at}`, () => assert.equal(pointed(JSON_TEXT, path), at));
});

describe('the pods of a manifest', () => {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [] } };
  const controller = (name: string) => `system:serviceaccount:kube-system:${name}`;
  const kinds: readonly (readonly [
    apiVersion: string,
    kind: string,
    spec: object,
    path: string,
    owner: unknown,
    by: string | undefined,
    name: object,
  ])[] = [
    [
      'v1',
      'ReplicationController',
      { template },
      'spec.template',
      { apiVersion: 'v1', kind: 'ReplicationController' },
      'replication-controller',
      { generateName: 'web-' },
    ],
    [
      'apps/v1',
      'Deployment',
      { template },
      'spec.template',
      { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
      'replicaset-controller',
      { generateName: 'web-' },
    ],
    [
      'apps/v1',
      'ReplicaSet',
      { template },
      'spec.template',
      { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
      'replicaset-controller',
      { generateName: 'web-' },
    ],
    [
      'apps/v1',
      'StatefulSet',
      { template },
      'spec.template',
      { apiVersion: 'apps/v1', kind: 'StatefulSet' },
      'statefulset-controller',
      { name: 'web-0' },
    ],
    [
      'apps/v1',
      'DaemonSet',
      { template },
      'spec.template',
      { apiVersion: 'apps/v1', kind: 'DaemonSet' },
      'daemon-set-controller',
      { generateName: 'web-' },
    ],
    [
      'batch/v1',
      'Job',
      { template },
      'spec.template',
      { apiVersion: 'batch/v1', kind: 'Job' },
      'job-controller',
      { generateName: 'web-' },
    ],
    [
      'batch/v1',
      'CronJob',
      { jobTemplate: { spec: { template } } },
      'spec.jobTemplate.spec.template',
      { apiVersion: 'batch/v1', kind: 'Job' },
      'job-controller',
      { generateName: 'web-' },
    ],
  ];
  for (const [apiVersion, kind, spec, path, owner, by, name] of kinds) {
    it(`of a ${kind} is what its controller makes`, () => {
      const object = {
        apiVersion,
        kind,
        metadata: { name: 'web', namespace: 'blue', labels: { not: 'the pod' } },
        spec,
      };
      const { workloads } = readWorkloads(object, 'default');
      assert.deepEqual(
        workloads.map((one) => ({ ...one, path: one.path.join('.'), controller: one.controller?.name })),
        [
          {
            kind,
            name: 'web',
            namespace: 'blue',
            path,
            controller: by === undefined ? undefined : controller(by),
            pod: {
              metadata: {
                labels: { app: 'web' },
                namespace: 'blue',
                ...name,
                ownerReferences: [{ ...(owner as object), name: 'web', controller: true }],
              },
              spec: { containers: [] },
            },
          },
        ],
      );
    });
  }

  it('of a Pod and of a PodTemplate are as they are written, made by whoever applies them', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { generateName: 'web-', managedFields: [] },
      spec: { a: 1 },
      status: {},
    };
    assert.deepEqual(readWorkloads(pod, 'blue').workloads, [
      {
        kind: 'Pod',
        name: 'web-',
        namespace: 'blue',
        path: [],
        controller: undefined,
        pod: { metadata: { generateName: 'web-', namespace: 'blue' }, spec: { a: 1 } },
      },
    ]);
    const made = readWorkloads({ apiVersion: 'v1', kind: 'PodTemplate', template }, 'blue').workloads;
    assert.deepEqual(
      made.map(({ path, controller: by, pod: own }) => [path, by, own]),
      [
        [
          ['template'],
          undefined,
          { metadata: { labels: { app: 'web' }, namespace: 'blue' }, spec: { containers: [] } },
        ],
      ],
    );
  });

  it('of a list are those of its items, whose kind a typed list leaves out', () => {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { template } };
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [
        deployment,
        { kind: 'Service' },
        { apiVersion: 'v1', kind: 'PodList', items: [{ metadata: { name: 'b' }, spec: {} }] },
        7,
      ],
    };
    const { workloads, others } = readWorkloads(list, 'default');
    assert.deepEqual(
      workloads.map(({ kind, name, path }) => [kind, name, path.join('.')]),
      [
        ['Deployment', 'a', 'items.0.spec.template'],
        ['Pod', 'b', 'items.2.items.0'],
      ],
    );
    assert.equal(others, 2);
  });

  it('are none where another group has a kind of that name', () => {
    const { workloads, others } = readWorkloads(
      { apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', spec: { template } },
      'default',
    );
    assert.deepEqual([workloads, others], [[], 1]);
  });

  it('are judged, and so refused, where there is no template', () => {
    const { workloads } = readWorkloads(
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } },
      'default',
    );
    assert.deepEqual(
      workloads.map(({ pod }) => pod),
      [undefined],
    );
  });
});
