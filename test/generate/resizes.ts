// Resizes for generated tests: a stored pod with its status, and the pod as it is asked to become.
import fc from 'fast-check';
import { type ContainerJson, present, resizePolicies, without } from './containers.ts';
import { type PodJson, podToCreate, type PodKnobs } from './pods.ts';
import type { Wildness } from './quantities.ts';
import { type Entries, podLevelResources, resources, type ResourcesJson, valueOf } from './resources.ts';
import { withStatus } from './statuses.ts';

export interface ResizeJson {
  readonly stored: PodJson;
  readonly asked: PodJson;
}

export interface ResizeKnobs extends PodKnobs {
  /** How wild the stored pod is: a real API server stores none that it refuses. By default `calm`. */
  readonly stored?: Wildness;
}

type Edit = (pod: PodJson) => PodJson;
type List = 'requests' | 'limits';

/** A stored pod, and what a client sends to `pods/resize`: up to four edits of it, and in the end its whole text. */
export function resize({ stored = 'calm', ...knobs }: ResizeKnobs): fc.Arbitrary<ResizeJson> {
  return podToCreate({ ...knobs, wildness: stored })
    .chain((pod) => withStatus(pod, stored))
    .chain((pod) =>
      fc
        .array(edit(pod, knobs), { minLength: 1, maxLength: 4 })
        .map((edits) => ({ stored: pod, asked: edits.reduce((before, change) => change(before), pod) })),
    );
}

function edit(pod: PodJson, { wildness, podLevel = true }: PodKnobs): fc.Arbitrary<Edit> {
  const place = placeIn(pod);
  const values = { weight: 12, arbitrary: place.chain((at) => valueEdit(at, wildness)) };
  if (wildness === 'calm') return values.arbitrary;
  const levels = podLevel ? [{ weight: 2, arbitrary: podLevelEdit(wildness) }] : [];
  return fc.oneof(
    values,
    { weight: 3, arbitrary: place.chain((at) => listEdit(at, wildness)) },
    { weight: 1, arbitrary: place.chain((at) => policyEdit(at, wildness)) },
    { weight: 1, arbitrary: place.chain(droppedEdit) },
    { weight: 1, arbitrary: orderEdit },
    ...levels,
  );
}

interface Place {
  readonly list: 'containers' | 'initContainers';
  readonly index: number;
}

function placeIn({ spec }: PodJson): fc.Arbitrary<Place> {
  const main = spec.containers.map((_, index): Place => ({ list: 'containers', index }));
  const init = (spec.initContainers ?? []).map((_, index): Place => ({ list: 'initContainers', index }));
  return fc.constantFrom(...main, ...init);
}

function changed({ list, index }: Place, change: (container: ContainerJson) => ContainerJson): Edit {
  return (pod) => ({
    ...pod,
    spec: {
      ...pod.spec,
      [list]: (pod.spec[list] ?? []).map((container, at) => (at === index ? change(container) : container)),
    },
  });
}

function withResources(place: Place, change: (own: ResourcesJson) => ResourcesJson): Edit {
  return changed(place, (container) => ({ ...container, resources: change(container.resources ?? {}) }));
}

function withEntry(own: ResourcesJson, list: List, name: string, text: string): ResourcesJson {
  return { ...own, [list]: { ...own[list], [name]: text } };
}

const OTHERS = ['ephemeral-storage', 'example.com/gpu', 'hugepages-2Mi'];

/** Another value, of one list or of both at once, as a Guaranteed pod needs it. */
function valueEdit(place: Place, wildness: Wildness): fc.Arbitrary<Edit> {
  const common = fc.constantFrom('cpu', 'memory');
  const name = wildness === 'calm' ? common : fc.oneof({ weight: 12, arbitrary: common }, fc.constantFrom(...OTHERS));
  const lists = fc.constantFrom<readonly List[]>(['requests'], ['limits'], ['requests', 'limits']);
  return fc
    .tuple(name, lists)
    .chain(([resource, which]) => valueOf(resource, wildness).map((text) => ({ resource, which, text })))
    .map(({ resource, which, text }) =>
      withResources(place, (own) => which.reduce((lists, list) => withEntry(lists, list, resource, text), own)),
    );
}

/** Values that go away, come back in other lists, or are replaced whole. */
function listEdit(place: Place, wildness: Wildness): fc.Arbitrary<Edit> {
  const list = fc.constantFrom<List>('requests', 'limits');
  const emptied = list.map((which) => withResources(place, (own) => ({ ...own, [which]: {} })));
  const removed = list.map((which) => withResources(place, (own) => without(own, which)));
  const fewer = fc
    .tuple(list, fc.constantFrom('cpu', 'memory', ...OTHERS))
    .map(([which, name]) => withResources(place, (own) => ({ ...own, [which]: withoutEntry(own[which], name) })));
  const replaced = resources(wildness).map((lists) =>
    withResources(place, ({ claims }) => ({ ...lists, ...(claims && { claims }) })),
  );
  const claimed = fc
    .constantFrom<ResourcesJson>({}, { claims: [{ name: 'device' }] })
    .map((claims) => withResources(place, (own) => ({ ...without(own, 'claims'), ...claims })));
  return fc.oneof(emptied, removed, fewer, { weight: 3, arbitrary: replaced }, { weight: 1, arbitrary: claimed });
}

function withoutEntry(entries: Entries = {}, name: string): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => key !== name));
}

function policyEdit(place: Place, wildness: Wildness): fc.Arbitrary<Edit> {
  return resizePolicies(wildness).map((resizePolicy) =>
    changed(place, (container) => ({ ...without(container, 'resizePolicy'), ...present({ resizePolicy }) })),
  );
}

/** What the API server drops from a resize without a word. */
function droppedEdit(place: Place): fc.Arbitrary<Edit> {
  return fc.constantFrom<Edit>(
    changed(place, (container) => ({ ...container, image: 'registry.example/app:2' })),
    changed(place, (container) => without(container, 'restartPolicy')),
    (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: { edited: 'yes' } } }),
    (pod) => ({ ...pod, spec: { ...pod.spec, nodeName: 'n2' } }),
    (pod) => without(pod, 'status'),
  );
}

/** Containers that are missing, new, renamed or in another order. */
const orderEdit: fc.Arbitrary<Edit> = fc
  .tuple(
    fc.constantFrom<'containers' | 'initContainers'>('containers', 'initContainers'),
    fc.constantFrom<(all: readonly ContainerJson[]) => readonly ContainerJson[]>(
      (all) => all.slice(1),
      (all) => all.slice(0, -1),
      (all) => all.toReversed(),
      (all) => [...all, { name: 'late', image: 'registry.example/app:1' }],
      (all) => all.map((one, index) => (index === 0 ? { ...one, name: 'renamed' } : one)),
    ),
  )
  .map(([list, reorder]) => (pod) => ({
    ...pod,
    spec: { ...pod.spec, [list]: reorder(pod.spec[list] ?? []) },
  }));

function podLevelEdit(wildness: Wildness): fc.Arbitrary<Edit> {
  return fc.option(podLevelResources(wildness), { nil: undefined }).map((levels) => (pod) => ({
    ...pod,
    spec: { ...without(pod.spec, 'resources'), ...(levels && { resources: levels }) },
  }));
}
