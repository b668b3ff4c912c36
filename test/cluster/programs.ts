// The programs of Kubernetes that the tests run, and where their Go modules and the built programs lie.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** What the module of each minor names as its tools: programs and their main packages. */
export const PACKAGES = {
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  etcd: 'go.etcd.io/etcd/server/v3',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  // Not built itself: what it is made of is what ./kubelet is made of.
  kubemark: 'k8s.io/kubernetes/cmd/kubemark',
} as const;

/** What is built of a minor: its own programs, and `kubelet`, ours, which is the real kubelet with a pretended container runtime. */
export type Program = Exclude<keyof typeof PACKAGES, 'kubemark'> | 'kubelet';

export const PROGRAMS: readonly Program[] = [
  'kube-apiserver',
  'etcd',
  'kubectl',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
];

export const repository = resolve(import.meta.dirname, '../..');

/** The source of our kubelet. */
export const kubeletFolder = join(import.meta.dirname, 'kubelet');

/** Holds one Go module a minor, each only a go.mod and a go.sum. */
export const modulesFolder = join(import.meta.dirname, 'kubernetes');

/** The minors that have a module, oldest first. */
export function knownMinors(): readonly string[] {
  return readdirSync(modulesFolder).sort((a, b) => Number(a.slice(2)) - Number(b.slice(2)));
}

/** The release that the module of a minor requires, `1.37` → `v1.37.2`. */
export async function releaseOf(minor: string): Promise<string> {
  const goMod = await readFile(join(modulesFolder, minor, 'go.mod'), 'utf8');
  const release = /^\s*(?:require )?k8s\.io\/kubernetes (v\S+)/m.exec(goMod)?.[1];
  if (release === undefined) throw new Error(`kubernetes/${minor}/go.mod does not require k8s.io/kubernetes`);
  return release;
}

/** What is built is kept here: git ignores it. `PODRAIL_PROGRAMS` names another folder, for checkouts that share one. */
export const keptFolder = resolve(process.env['PODRAIL_PROGRAMS'] || join(repository, '.podrail'));

/** Where the programs of a release are built into: a new release of a minor is built anew. */
export function builtFolder(release: string): string {
  return join(keptFolder, 'kubernetes', release);
}

/** The Kubernetes that this run of the tests is about. */
export interface TestedKubernetes {
  /** Such as `1.37`. */
  readonly minor: string;
  /** The folder of its programs. */
  readonly folder: string;
}

/**
 * What `run.ts` chose: the programs of `KUBEBUILDER_ASSETS` (envtest's variable: a folder with kube-apiserver, etcd and
 * kubectl), or those built of the minor in `PODRAIL_TEST_MINOR`, by default of the newest one.
 */
export async function testedKubernetes(): Promise<TestedKubernetes> {
  const { KUBEBUILDER_ASSETS: assets, PODRAIL_TEST_MINOR: chosen } = process.env;
  if (assets) return { minor: await minorOf(join(assets, 'kube-apiserver')), folder: resolve(assets) };
  const minor = chosen ?? knownMinors().at(-1) ?? '';
  return { minor, folder: builtFolder(await releaseOf(minor)) };
}

/** For a suite that needs these beside what every cluster has: why it cannot run, or false, as `describe` takes it. */
export async function reasonToSkip(needed: readonly Program[]): Promise<string | false> {
  const { folder } = await testedKubernetes();
  const missing = needed.filter((program) => !existsSync(join(folder, program)));
  if (missing.length === 0) return false;
  const remedy = process.env['KUBEBUILDER_ASSETS']
    ? 'unset KUBEBUILDER_ASSETS to have it built'
    : 'node test/cluster/run.ts builds it';
  return `${folder} has no ${missing.join(', ')}; ${remedy}`;
}

async function minorOf(apiServer: string): Promise<string> {
  const { stdout } = await promisify(execFile)(apiServer, ['--version']);
  const minor = /v(\d+\.\d+)\./.exec(stdout)?.[1];
  if (minor === undefined) throw new Error(`${apiServer} --version says no version: ${stdout}`);
  return minor;
}
