// A cluster for one test file: etcd and a kube-apiserver, an administrator, and a tenant who may do little.
//
// There is no node in it: a Node is an object like any other, and who needs a kubelet starts one.
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiServer, startApiServer } from './api-server.ts';
import { type Etcd, startEtcd } from './etcd.ts';
import { createGuard } from './guard.ts';
import { createUser, type Person, seat, toTokenFile } from './people.ts';
import { repository, type TestedKubernetes, testedKubernetes } from './programs.ts';
import { type Place, type Running, untilReady } from './running.ts';
import { TENANT_RIGHTS } from './tenant-rights.ts';

export interface Cluster {
  readonly kubernetes: TestedKubernetes;
  readonly apiServer: ApiServer;
  readonly etcd: Etcd;
  /** May do everything. */
  readonly admin: Person;
  /** `dev-lee` of `team-blue-devs`: may keep Deployments and pods in `default`, and resize pods. */
  readonly tenant: Person;
  /** The kubelets, `system:node:n1` and so on, by the names of their nodes. */
  readonly nodes: ReadonlyMap<string, Person>;
  readonly controllerManager: Person;
  readonly scheduler: Person;
  /** Where further programs of this cluster run. */
  readonly place: Place;
  /** Copies every log out of the temporary folder, into `.podrail/logs`; gives the folder. */
  readonly keepLogs: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface ClusterOptions {
  /** Further flags for the API server, such as `--feature-gates=…`. */
  readonly apiServerFlags?: readonly string[];
  /** The names of nodes that kubelets may join as; by default `n1`. */
  readonly nodes?: readonly string[];
}

/** Starts a cluster and waits until pods can be created in it. Leaves nothing but its logs behind when it throws. */
export async function startCluster({ apiServerFlags = [], nodes = ['n1'] }: ClusterOptions = {}): Promise<Cluster> {
  const kubernetes = await testedKubernetes();
  const folder = await mkdtemp(join(tmpdir(), `podrail-cluster-${kubernetes.minor}-`));
  const guard = createGuard(folder);
  const place = { folder, guard };
  const program = (name: string): string => join(kubernetes.folder, name);
  const admin = createUser('admin', ['system:masters']);
  const tenant = createUser('dev-lee', ['team-blue-devs']);
  const controllerManager = createUser('system:kube-controller-manager', []);
  const scheduler = createUser('system:kube-scheduler', []);
  const kubelets = nodes.map((name) => ({ name, user: createUser(`system:node:${name}`, ['system:nodes']) }));
  try {
    const etcd = await startEtcd(program('etcd'), place);
    const tokens = toTokenFile([admin, tenant, controllerManager, scheduler, ...kubelets.map(({ user }) => user)]);
    const apiServer = await startApiServer(program('kube-apiserver'), etcd.url, tokens, place, apiServerFlags);
    const atShell = (user: typeof admin): Promise<Person> => seat(user, apiServer, kubernetes.folder, place);
    const seats = kubelets.map(async ({ name, user }) => [name, await atShell(user)] as const);
    const people = {
      admin: await atShell(admin),
      tenant: await atShell(tenant),
      controllerManager: await atShell(controllerManager),
      scheduler: await atShell(scheduler),
      nodes: new Map(await Promise.all(seats)),
    };
    await untilReady(apiServer, async () => (await people.admin.run(IS_READY)).code === 0);
    await prepare(people.admin, apiServer);
    return {
      kubernetes,
      apiServer,
      etcd,
      ...people,
      place,
      keepLogs: () => keepLogs(folder, kubernetes.minor),
      stop: () => stop([apiServer, etcd], place),
    };
  } catch (error) {
    // The guard removes the folder.
    const kept = await keepLogs(folder, kubernetes.minor);
    await guard.close();
    throw new Error(`${(error as Error).message}\nlogs are kept in ${kept}`, { cause: error });
  }
}

// The API server makes the namespace `default` by itself, a moment after it says that it is ready.
const IS_READY = 'kubectl get --raw /readyz && kubectl get namespace default';

// What controllers would make: here are none.
async function prepare(admin: Person, { caFile }: ApiServer): Promise<void> {
  await admin.must('kubectl create serviceaccount default --namespace default');
  // Every pod mounts it; no kubelet starts one without.
  await admin.must(`kubectl create configmap kube-root-ca.crt --namespace default --from-file=ca.crt=${caFile}`);
  await admin.must('kubectl apply -f -', JSON.stringify(TENANT_RIGHTS));
}

// The API server before its etcd, without which it would still answer for a while. Nothing of either is kept, so neither
// is given time.
async function stop(programs: readonly Running[], { guard }: Place): Promise<void> {
  for (const program of programs) await program.stop('SIGKILL');
  await guard.close();
}

async function keepLogs(folder: string, minor: string): Promise<string> {
  const kept = join(repository, '.podrail/logs', `${new Date().toISOString().replaceAll(':', '-')}-${minor}`);
  await mkdir(kept, { recursive: true });
  await cp(folder, kept, { recursive: true, filter: (source) => source === folder || source.endsWith('.log') });
  return kept;
}
