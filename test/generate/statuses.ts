// What the kubelet might say of a generated pod: nothing, all of it, or something that has nothing to do with the spec.
import fc from 'fast-check';
import { type ContainerJson, present, without } from './containers.ts';
import type { PodJson } from './pods.ts';
import type { Wildness } from './quantities.ts';
import { type Entries, entriesOf, resources, type ResourcesJson } from './resources.ts';

const NAMES = ['cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'example.com/gpu'];
const RUNNING = { running: { startedAt: '2026-11-30T09:00:00Z' } };
const WAITING = { waiting: { reason: 'ContainerCreating' } };
const ENDED = { terminated: { exitCode: 0, reason: 'Completed' } };

/** As the spec says, as it said before, nothing, or without the field: an old kubelet. */
function reported(container: ContainerJson, wildness: Wildness): fc.Arbitrary<object> {
  const own = container.resources ?? {};
  const lists = without(own, 'claims');
  const applied = fc.constant({ resources: lists, allocatedResources: own.requests ?? {} });
  const before = fc
    .record({ resources: resources(wildness), allocatedResources: entriesOf(NAMES, wildness) }, { requiredKeys: [] })
    .map((some) => present(some));
  return fc
    .record({
      values: fc.oneof({ weight: 3, arbitrary: applied }, { weight: 3, arbitrary: before }, fc.constant({})),
      state: fc.oneof({ weight: 6, arbitrary: fc.constant(RUNNING) }, fc.constantFrom(WAITING, ENDED, undefined)),
    })
    .map(({ values, state }) => ({
      name: container.name,
      image: container.image,
      imageID: '',
      ready: state === RUNNING,
      restartCount: 0,
      ...(state && { state }),
      ...withoutEmpty(values),
    }));
}

/** Statuses of most of the containers. */
function containerStatuses(
  containers: readonly ContainerJson[],
  wildness: Wildness,
): fc.Arbitrary<readonly object[] | undefined> {
  const all = fc.tuple(...containers.map((container) => reported(container, wildness)));
  return fc.oneof(
    { weight: 6, arbitrary: all },
    { weight: 1, arbitrary: all.chain((statuses) => fc.subarray([...statuses])) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const condition = fc.record({
  type: fc.constantFrom('PodResizePending', 'PodResizePending', 'PodResizeInProgress', 'Ready'),
  status: fc.constantFrom('True', 'True', 'False'),
  reason: fc.constantFrom('Infeasible', 'Deferred', 'Error'),
});

/** The pod with a status that its kubelet, or somebody else, has written. */
export function withStatus(pod: PodJson, wildness: Wildness): fc.Arbitrary<PodJson> {
  const { containers, initContainers = [], resources: podLevel } = pod.spec;
  const totals = podLevel === undefined ? fc.constant(undefined) : fc.option(resources(wildness), { nil: undefined });
  return fc
    .record({
      phase: fc.oneof(
        { weight: 9, arbitrary: fc.constant('Running') },
        { weight: 3, arbitrary: fc.constant('Pending') },
        // podrail refuses to resize what has finished, and then nothing else is compared.
        { weight: 1, arbitrary: fc.constantFrom('Succeeded', 'Failed') },
      ),
      qosClass: fc.oneof(
        { weight: 12, arbitrary: fc.constant(undefined) },
        fc.constantFrom('Burstable', 'Guaranteed', 'BestEffort'),
      ),
      conditions: fc.array(condition, { maxLength: 2 }),
      containerStatuses: containerStatuses(containers, wildness),
      initContainerStatuses: containerStatuses(initContainers, wildness),
      resources: totals,
      allocatedResources:
        podLevel === undefined
          ? fc.constant(undefined)
          : fc.option(entriesOf(NAMES.slice(0, 2), wildness), { nil: undefined }),
    })
    .map((status) => ({ ...pod, status: withoutEmpty(present(status)) }));
}

interface Reported {
  readonly resources?: ResourcesJson;
  readonly allocatedResources?: Entries;
}

/** The API server stores no empty map. */
function withoutEmpty<Status extends Reported>(status: Status): Status {
  const { resources: actual, allocatedResources: allocated = {}, ...rest } = status;
  const { requests = {}, limits = {} } = actual ?? {};
  return {
    ...rest,
    ...(actual && { resources: { ...(!isEmpty(requests) && { requests }), ...(!isEmpty(limits) && { limits }) } }),
    ...(!isEmpty(allocated) && { allocatedResources: allocated }),
  } as Status;
}

function isEmpty(entries: Entries): boolean {
  return Object.keys(entries).length === 0;
}
