// A tenant who resizes without a pause: what was asked, and what became of it.
import { connect, PATCH } from './api-client.ts';
import type { Cluster } from './cluster.ts';
import { recordTold } from './told.ts';

/** How often each outcome came: `little: allowed`, `much: refused`, or why a call to podrail failed. */
export type Tally = Readonly<Record<string, number>>;

export interface Load {
  /** Ends it once what is under way has its answer; gives also the ids of the records that the refusals name. */
  readonly stop: () => Promise<{ readonly tally: Tally; readonly records: readonly string[] }>;
  /** How many requests have been answered until now. */
  readonly answered: () => number;
}

/**
 * What is asked for in turn: values inside the tenant's bounds, each another than the one before, since nobody is asked about a resize
 * that changes nothing; and after each a value outside.
 */
export interface Asked {
  readonly little: readonly string[];
  readonly much: string;
}

/** Resizes these pods of a namespace, each in a loop of its own and one request at a time. */
export async function startLoad(
  { tenant }: Cluster,
  namespace: string,
  pods: readonly string[],
  asked: Asked,
): Promise<Load> {
  const api = await connect(tenant);
  const tally: Record<string, number> = {};
  const records: string[] = [];
  let answered = 0;
  let isOver = false;
  const resize = async (pod: string, size: 'little' | 'much', cpu: string): Promise<void> => {
    const asks = { spec: { containers: [{ name: 'app', resources: { requests: { cpu } } }] } };
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}/resize`;
    const { code, body } = await api.ask('PATCH', path, asks, PATCH.strategic);
    const { message = '' } = body as { readonly message?: string };
    const record = recordTold(message);
    if (record !== undefined) records.push(record);
    const outcome = `${size}: ${code === 200 ? 'allowed' : record === undefined ? reasonIn(message) : 'refused'}`;
    tally[outcome] = (tally[outcome] ?? 0) + 1;
    answered += 1;
  };
  const loops = pods.map(async (pod) => {
    while (!isOver) {
      for (const little of asked.little) {
        await resize(pod, 'little', little);
        await resize(pod, 'much', asked.much);
      }
    }
  });
  return {
    answered: () => answered,
    async stop() {
      isOver = true;
      await Promise.all(loops);
      api.close();
      return { tally, records };
    },
  };
}

function reasonIn(message: string): string {
  return /failed to call webhook: Post "[^"]*": (.*)$/s.exec(message)?.[1] ?? message;
}
