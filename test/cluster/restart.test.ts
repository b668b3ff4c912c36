// podrail ends and starts while a tenant resizes without a pause. No call that has reached it is dropped: with another replica beside
// it nobody notices; alone, what comes in between gets what the failure policy says, and nothing else.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOUNDS, LITTLE_CPU, MUCH_CPU, podOf, registerInEach, settle } from './away.ts';
import type { Cluster } from './cluster.ts';
import { createFixedAddress, type FixedAddress } from './fixed-address.ts';
import { type Load, startLoad, type Tally } from './load.ts';
import type { Podrail } from './podrail.ts';
import { freePort } from './ports.ts';
import { openService, type Replica } from './service-stand-in.ts';
import { clusterForSuite } from './suite-cluster.ts';

const NAMESPACES = ['ignored', 'failed'] as const;
const PODS = ['load-1', 'load-2'];
// What comes of the two when podrail is asked.
const JUDGED = ['little: allowed', 'much: refused'];
const ASKED = { little: [LITTLE_CPU, '200m'], much: MUCH_CPU };

describe('while a tenant resizes without a pause', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let address: FixedAddress;
  let flags: readonly string[];

  before(async () => {
    cluster = started();
    const bounds = join(cluster.place.folder, 'bounds.yaml');
    await writeFile(bounds, BOUNDS);
    flags = ['--guardrails', bounds];
    address = await createFixedAddress(cluster);
    await settle(cluster);
    for (const namespace of NAMESPACES)
      for (const pod of PODS) await cluster.admin.must(`kubectl create --namespace ${namespace} -f -`, podOf(pod));
  });

  const startLoads = (): Promise<readonly Load[]> =>
    Promise.all(NAMESPACES.map((namespace) => startLoad(cluster, namespace, PODS, ASKED)));
  // Until each has had so many more answers, so that what is asserted has been tried.
  const untilAnswered = async (loads: readonly Load[], more = 20): Promise<void> => {
    const before = loads.map((load) => load.answered());
    while (loads.some((load, index) => load.answered() < (before[index] ?? 0) + more)) await sleep(50);
  };
  const stopAll = async (loads: readonly Load[]) => {
    const results = await Promise.all(loads.map((load) => load.stop()));
    return { tallies: results.map(({ tally }) => tally), told: results.flatMap(({ records }) => records) };
  };
  // Nobody listened; or nobody did any more, and the kernel dropped what it had taken for podrail, each loop's call at most once. The API
  // server notices that when it sends, or when it waits for an answer.
  const NOT_HEARD = /dial tcp \S+: connect: connection refused$/;
  const DROPPED = /(read tcp \S+: read|write tcp \S+: write): (connection reset by peer|broken pipe)$/;
  const withoutReason = (outcome: string): string =>
    outcome.replace(NOT_HEARD, 'no connection').replace(DROPPED, 'no connection');
  const resets = (tally: Tally): number =>
    Object.entries(tally).reduce((sum, [outcome, count]) => sum + (DROPPED.test(outcome) ? count : 0), 0);
  // Not the other way round: of two questions about one request, each may go to another replica.
  const assertEachIsRecorded = async (told: readonly string[], replicas: readonly Podrail[]): Promise<void> => {
    const records = (await Promise.all(replicas.map((replica) => replica.records()))).flat();
    const denials = new Set(records.filter(({ decision }) => decision === 'deny').map(({ id }) => id));
    assert.deepEqual(
      told.filter((id) => !denials.has(id)),
      [],
    );
    assert.equal(new Set(told).size, told.length);
  };

  it('and two replicas are replaced one after the other, every call is judged', async (context) => {
    const replicas: (Podrail & Replica)[] = [];
    const begin = async (): Promise<void> => {
      const port = await freePort();
      const podrail = await address.start(flags, { name: `podrail-${replicas.length + 1}`, port });
      replicas.push({ ...podrail, port });
    };
    await begin();
    await begin();
    const service = await openService(address.host, address.port, () => replicas);
    context.after(() => service.stop());
    await registerInEach(cluster, address.url, address.tls.ca);

    const loads = await startLoads();
    for (const old of replicas.slice()) {
      await untilAnswered(loads);
      await begin();
      await old.stop();
    }
    await untilAnswered(loads);
    const { tallies, told } = await stopAll(loads);
    await Promise.all(replicas.map((replica) => replica.stop()));
    assert.deepEqual(
      tallies.map((tally) => Object.keys(tally)),
      NAMESPACES.map(() => JUDGED),
    );
    await assertEachIsRecorded(told, replicas);
  });

  it('and the only replica is replaced, what comes in between is let through or refused, and nothing is cut off', async () => {
    const podrail = await address.start(flags, { name: 'podrail-alone' });
    await registerInEach(cluster, address.url, address.tls.ca);
    const loads = await startLoads();
    await untilAnswered(loads);
    await podrail.stop();
    await untilAnswered(loads);
    const again = await address.start(flags, { name: 'podrail-alone' });
    await untilAnswered(loads);
    const { tallies, told } = await stopAll(loads);
    const [ignored = {}, failed = {}] = tallies;
    await again.stop();
    const outcomes = (tally: Tally): ReadonlySet<string> => new Set(Object.keys(tally).map(withoutReason));
    assert.deepEqual(outcomes(ignored), new Set([...JUDGED, 'much: allowed']));
    assert.deepEqual(outcomes(failed), new Set([...JUDGED, 'little: no connection', 'much: no connection']));
    assert.ok(resets(failed) <= PODS.length, `${resets(failed)} calls were cut off`);
    await assertEachIsRecorded(told, [again]);
  });
});
