// Stands in for the scheduler and for the kubelet of one node, for as long as it runs: every pod is bound to the node, runs at once,
// has the resources that its spec asks for as soon as they are asked for, and is gone as soon as it is deleted.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, connect, PATCH } from './api-client.ts';
import { type Container, toStatus } from './kubelet-stand-in.ts';
import type { Person } from './people.ts';

export interface NodeStandIn {
  readonly stop: () => Promise<void>;
}

const PAUSE_MS = 200;

export async function startNodeStandIn(admin: Person, node: string): Promise<NodeStandIn> {
  const api = await connect(admin);
  let isOver = false;
  const loop = async (): Promise<void> => {
    while (!isOver) {
      const { items } = (await api.get('/api/v1/pods')).body as unknown as { readonly items: readonly Pod[] };
      for (const pod of items) await serve(api, node, pod);
      await sleep(PAUSE_MS);
    }
  };
  const looping = loop();
  // Who waits for its pods would wait in vain; the reason comes out when it is stopped.
  looping.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      await looping;
      api.close();
    },
  };
}

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly nodeName?: string; readonly containers: readonly Container[] };
  readonly status: { readonly containerStatuses?: readonly { readonly resources?: object }[] };
}

// What is refused is tried again in the next round: another was faster.
async function serve(api: ApiClient, node: string, { metadata, spec, status }: Pod): Promise<void> {
  const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
  if (metadata.deletionTimestamp !== undefined) {
    await api.remove(path);
  } else if (spec.nodeName === undefined) {
    const target = { kind: 'Node', name: node };
    await api.post(`${path}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: metadata.name },
      target,
    });
  } else if (!hasWhatItAsks(spec, status)) {
    const ready = ['Initialized', 'Ready', 'ContainersReady'].map((type) => ({ type, status: 'True' }));
    const reported = {
      status: {
        phase: 'Running',
        // VPA takes a pod that has run for half a day for one that may be resized at any time.
        startTime: new Date().toISOString(),
        observedGeneration: metadata.generation,
        conditions: ready,
        containerStatuses: spec.containers.map(toStatus),
      },
    };
    await api.ask('PATCH', `${path}/status`, reported, PATCH.strategic);
  }
}

function hasWhatItAsks(spec: Pod['spec'], { containerStatuses = [] }: Pod['status']): boolean {
  const asked = spec.containers.map(({ resources }) => resources);
  return JSON.stringify(asked) === JSON.stringify(containerStatuses.map(({ resources }) => resources));
}
