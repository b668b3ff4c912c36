// The updater of the Vertical Pod Autoscaler, a client that resizes pods by itself: built like Kubernetes, and started with its own
// CRDs, roles and service account.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { goBuild } from './build.ts';
import type { Cluster } from './cluster.ts';
import { seat } from './people.ts';
import { freePort } from './ports.ts';
import { keptFolder } from './programs.ts';
import { type Running, startProgram } from './running.ts';

const MODULE = 'k8s.io/autoscaler/vertical-pod-autoscaler';
const moduleFolder = join(import.meta.dirname, 'vpa');
// What else its module has that a cluster needs.
const OBJECTS = ['vpa-v1-crd-gen.yaml', 'vpa-rbac.yaml'];

/** Where the updater is built into: a folder for each version. */
async function builtFolder(): Promise<string> {
  const goMod = await readFile(join(moduleFolder, 'go.mod'), 'utf8');
  const version = new RegExp(`${MODULE} (v\\S+)`).exec(goMod)?.[1];
  if (version === undefined) throw new Error(`vpa/go.mod does not require ${MODULE}`);
  return join(keptFolder, 'vpa', version);
}

/** Builds it where it is not built yet, which takes minutes. */
export async function buildUpdater(): Promise<void> {
  const folder = await builtFolder();
  const file = join(folder, 'vpa-updater');
  if (existsSync(file)) return;
  await mkdir(folder, { recursive: true });
  process.stderr.write('building vpa-updater (once; minutes)\n');
  const unfinished = `${file}.${process.pid}`;
  await goBuild(moduleFolder, ['-ldflags', '-s -w', '-o', unfinished, `${MODULE}/pkg/updater`]);
  const list = ['list', '-m', '-f', '{{.Dir}}', MODULE];
  const { stdout } = await promisify(execFile)('go', list, {
    cwd: moduleFolder,
    env: { ...process.env, GOWORK: 'off' },
  });
  for (const name of OBJECTS) await copyFile(join(stdout.trim(), 'deploy', name), join(folder, name));
  await rename(unfinished, file);
}

/** Why the updater cannot be run, or false, as `describe` takes it. */
export async function reasonToSkipUpdater(): Promise<string | false> {
  const file = join(await builtFolder(), 'vpa-updater');
  return existsSync(file) ? false : `there is no ${file}; node test/cluster/run.ts builds it`;
}

/** How often it looks at the pods; its default is a minute. */
export const INTERVAL_MS = 2_000;

/** Starts the updater as `system:serviceaccount:kube-system:vpa-updater`. */
export async function startUpdater({ admin, apiServer, kubernetes, place }: Cluster): Promise<Running> {
  const folder = await builtFolder();
  for (const name of OBJECTS) await admin.must(`kubectl apply --server-side -f ${join(folder, name)}`);
  await admin.must(
    'kubectl wait --for=condition=Established --timeout=60s crd/verticalpodautoscalers.autoscaling.k8s.io',
  );
  const token = (await admin.must('kubectl create token vpa-updater --namespace kube-system --duration 1h')).trim();
  const account = { name: 'vpa-updater', groups: [], token };
  const { kubeconfig } = await seat(account, apiServer, kubernetes.folder, place);
  return startProgram(
    'vpa-updater',
    join(folder, 'vpa-updater'),
    [
      `--kubeconfig=${kubeconfig}`,
      `--address=127.0.0.1:${await freePort()}`,
      `--updater-interval=${INTERVAL_MS}ms`,
      // Otherwise it waits for VPA's own webhook, which gives new pods what is recommended.
      '--use-admission-controller-status=false',
      // For the update mode InPlace, which never evicts.
      '--feature-gates=InPlace=true',
      '--v=2',
    ],
    place,
  );
}
