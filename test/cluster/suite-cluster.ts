// One cluster for all tests of a suite, whose logs are kept when one of them fails.
import { after, afterEach, before } from 'node:test';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';

/** To be called in a `describe`. What it gives gives the cluster, once the tests have begun. */
export function clusterForSuite(options?: ClusterOptions): () => Cluster {
  let cluster: Cluster | undefined;
  const outcomes: boolean[] = [];
  before(async () => {
    cluster = await startCluster(options);
  });
  afterEach((context) => {
    if ('passed' in context) outcomes.push(context.passed);
  });
  after(async () => {
    // Where no test came to its end, what was to be there before them has failed.
    const hasPassed = outcomes.length > 0 && !outcomes.includes(false);
    if (cluster !== undefined && !hasPassed) process.stderr.write(`logs are kept in ${await cluster.keepLogs()}\n`);
    await cluster?.stop();
  });
  return () => {
    if (cluster === undefined) throw new Error('the cluster is started before the first test');
    return cluster;
  };
}
