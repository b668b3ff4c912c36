// Short ways to write pods and resources in tests of the model.
import type { Pod } from '../../src/model/pod.ts';
import { toCanonical } from '../../src/model/quantity.ts';
import { readPod } from '../../src/model/read-pod.ts';
import type { Resources } from '../../src/model/resources.ts';

export type Entries = Readonly<Record<string, string>>;

export interface ContainerJson {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resources?: { readonly requests?: Entries; readonly limits?: Entries };
}

/** A container that requests. */
export function requesting(name: string, requests: Entries): ContainerJson {
  return { name, resources: { requests } };
}

/** An init container that requests and restarts always. */
export function sidecar(name: string, requests: Entries): ContainerJson {
  return { name, restartPolicy: 'Always', resources: { requests } };
}

/** A pod of these containers; `rest` is the rest of its spec. */
export function podOf(containers: readonly object[], rest: object = {}, status: object = {}): Pod {
  return readPod({ metadata: { name: 'web' }, spec: { containers, ...rest }, status });
}

/** Resources as Kubernetes would print them. */
export function written(resources: Resources): Entries {
  return Object.fromEntries([...resources].map(([name, quantity]) => [name, toCanonical(quantity)]));
}
