// The manifests on a real API server: what `kubectl apply -k` makes, once and again, and what `kubectl delete -k` leaves.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { certManagerCrds } from './cert-manager-crds.ts';
import type { Cluster } from './cluster.ts';
import { repository } from './programs.ts';
import { clusterForSuite } from './suite-cluster.ts';

const BASE = [
  'namespace/podrail-system',
  'serviceaccount/podrail',
  'configmap/podrail-HASH',
  'configmap/podrail-guardrails-HASH',
  'service/podrail',
  'deployment.apps/podrail',
  'mutatingwebhookconfiguration.admissionregistration.k8s.io/podrail',
  'validatingwebhookconfiguration.admissionregistration.k8s.io/podrail',
];
const CERTIFICATE = [
  'certificate.cert-manager.io/podrail',
  'certificate.cert-manager.io/podrail-ca',
  'issuer.cert-manager.io/podrail-ca',
  'issuer.cert-manager.io/podrail-self-signed',
];
const IN_NAMESPACE = 'kubectl --namespace podrail-system';

const crds = await certManagerCrds();

describe('podrail is installed', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let byHand: string;

  before(async () => {
    cluster = started();
    byHand = join(cluster.place.folder, 'certificate');
    await promisify(execFile)(process.execPath, [join(repository, 'certs/make-certificate.ts'), byHand]);
    if ('missing' in crds) return;
    await cluster.admin.must(`kubectl apply --server-side -f ${crds.folder}`);
    await cluster.admin.must('kubectl wait --for=condition=Established crd --all');
  });

  /** The lines of a command that must succeed without a warning, without the hashes of what is in a ConfigMap. */
  const said = async (commandLine: string, input?: string): Promise<readonly string[]> => {
    const { code, out, err } = await cluster.admin.run(commandLine, input);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    return out
      .split('\n')
      .slice(0, -1)
      .map((line) => line.replace(/^(configmap\/\S+)-[a-z0-9]{10}\b/, '$1-HASH'))
      .toSorted();
  };
  // Of some kinds the API server says that they are old: no matter here.
  const namesOf = async (options: string): Promise<readonly string[]> =>
    (await cluster.admin.must(`kubectl get --output name --ignore-not-found ${options}`)).split('\n').slice(0, -1);
  const kinds = async (scope: string): Promise<string> =>
    (await said(`kubectl api-resources --verbs=list,delete --output name ${scope}`)).join(',');

  /**
   * Everything with podrail's label, and everything in its namespace. No events: the API server tells of a Service when its own repair
   * of addresses comes between.
   */
  const left = async (): Promise<readonly string[]> => {
    const names = [
      ...(await namesOf(`${await kinds('')} --all-namespaces --selector app.kubernetes.io/part-of=podrail`)),
      ...(await namesOf(`${await kinds('--namespaced')} --namespace podrail-system`)),
    ];
    return names.filter((name) => !/^event[./]/.test(name));
  };
  // What the controller of namespaces does when nothing is left in one.
  const finalize = (): Promise<string> => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'podrail-system' }, spec: {} };
    return cluster.admin.must(
      'kubectl replace --raw /api/v1/namespaces/podrail-system/finalize -f -',
      JSON.stringify(namespace),
    );
  };

  const isInstalledBy = (folder: () => string, makes: readonly string[]): void => {
    it('makes what it says, without a warning', async () => {
      assert.deepEqual(await said(`kubectl apply -k ${folder()}`), makes.map((name) => `${name} created`).toSorted());
    });

    it('changes nothing when it is applied again', async () => {
      // Kustomize breaks the lines of a Secret, which kubectl takes for a change.
      const verb = (name: string): string => (name.startsWith('secret/') ? 'configured' : 'unchanged');
      const lines = makes.map((name) => `${name} ${verb(name)}`).toSorted();
      assert.deepEqual(await said(`kubectl apply -k ${folder()}`), lines);
    });

    it('keeps its pods within the strictest profile of Pod Security, which its namespace enforces', async () => {
      const deployment = await cluster.admin.must(`${IN_NAMESPACE} get deployment podrail --output json`);
      const { spec } = JSON.parse(deployment) as { readonly spec: { readonly template: object } };
      const pod = { apiVersion: 'v1', kind: 'Pod', ...spec.template, metadata: { name: 'podrail' } };
      assert.deepEqual(await said(`${IN_NAMESPACE} create --dry-run=server -f -`, JSON.stringify(pod)), [
        'pod/podrail created (server dry run)',
      ]);
    });

    it('gives podrail no right that every service account does not have', async () => {
      const rights = (account: string): Promise<readonly string[]> =>
        said(`${IN_NAMESPACE} auth can-i --list --as=system:serviceaccount:podrail-system:${account}`);
      assert.deepEqual(await rights('podrail'), await rights('somebody-else'));
    });

    it('is gone when it is deleted', async () => {
      const deleted = await said(`kubectl delete -k ${folder()} --wait=false --output name`);
      assert.deepEqual(deleted, makes.toSorted());
      // The namespace waits for a controller that is not here. Whatever is in it must be gone without one.
      assert.deepEqual(await left(), ['namespace/podrail-system']);
      await finalize();
      assert.deepEqual(await left(), []);
    });
  };

  describe('by manifests/base', () => isInstalledBy(() => join(repository, 'manifests/base'), BASE));

  describe('by manifests/overlays/cert-manager', { skip: 'missing' in crds && crds.missing }, () =>
    isInstalledBy(() => join(repository, 'manifests/overlays/cert-manager'), [...BASE, ...CERTIFICATE]),
  );

  describe('by the overlay of docs/installing.md', { skip: 'missing' in crds && crds.missing }, () => {
    const page = readFileSync(join(repository, 'docs/installing.md'), 'utf8');
    const block = (label: string): string =>
      new RegExp(`^\`\`\`yaml ${label}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? `no block ${label}`;
    let folder: string;
    before(async () => {
      folder = join(cluster.place.folder, 'my-podrail');
      const manifests = relative(await realpath(cluster.place.folder), join(repository, 'manifests'));
      await mkdir(folder);
      await cp(join(repository, 'manifests/base/podrail.yaml'), join(folder, 'podrail.yaml'));
      await cp(join(repository, 'examples/guardrails/warn-on-restarts.yaml'), join(folder, 'tenants.yaml'));
      await writeFile(join(folder, 'kustomization.yaml'), block('overlay').replace('../manifests', `../${manifests}`));
    });

    isInstalledBy(() => folder, [...BASE, ...CERTIFICATE]);

    it('runs the image that it names, with the guardrails that it brings and no others', async () => {
      const [image] = await said(`kubectl kustomize ${folder} | grep -o 'image: .*'`);
      assert.equal(image, 'image: registry.example.com/podrail:0.1.0');
      const files = await said(`kubectl kustomize ${folder} | grep -o '^  [a-z]*.yaml:'`);
      assert.deepEqual(files, ['  podrail.yaml:', '  tenants.yaml:']);
    });

    it('has beside it a role that the API server takes', async () => {
      assert.deepEqual(await said('kubectl apply --dry-run=server -f -', block('resizers')), [
        'clusterrole.rbac.authorization.k8s.io/resize-pods created (server dry run)',
      ]);
    });
  });

  describe('by what make-certificate writes', () => isInstalledBy(() => byHand, [...BASE, 'secret/podrail-tls']));
});
