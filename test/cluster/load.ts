// A tenant who resizes without a pause: what was asked, and what became of it.
import type { Cluster } from './cluster.ts';
import { openRest, type Rest } from './rest.ts';

/** How often each outcome came: `little: allowed`, `much: refused`, or why a call to podrail failed. */
export type Tally = Readonly<Record<string, number>>;

export interface Load {
  /** Ends it once what is under way has its answer. */
  readonly stop: () => Promise<Tally>;
  /** How many requests have been answered until now. */
  readonly answered: () => number;
}

/** What is asked for in turn: one value inside the tenant's bounds, one outside. */
export interface Asked {
  readonly little: string;
  readonly much: string;
}

/** Resizes these pods of a namespace, each in a loop of its own and one request at a time. */
export async function startLoad(
  { tenant }: Cluster,
  namespace: string,
  pods: readonly string[],
  asked: Asked,
): Promise<Load> {
  const rest = await openRest(tenant);
  const tally: Record<string, number> = {};
  let answered = 0;
  let isOver = false;
  const resize = async (pod: string): Promise<void> => {
    for (const size of ['little', 'much'] as const) {
      const outcome = `${size}: ${await outcomeOf(rest, namespace, pod, asked[size])}`;
      tally[outcome] = (tally[outcome] ?? 0) + 1;
      answered += 1;
    }
  };
  const loops = pods.map(async (pod) => {
    while (!isOver) await resize(pod);
  });
  return {
    answered: () => answered,
    async stop() {
      isOver = true;
      await Promise.all(loops);
      rest.close();
      return tally;
    },
  };
}

async function outcomeOf(rest: Rest, namespace: string, pod: string, cpu: string): Promise<string> {
  const resources = { requests: { cpu } };
  const { code, body } = await rest.send('PATCH', `/api/v1/namespaces/${namespace}/pods/${pod}/resize`, {
    spec: { containers: [{ name: 'app', resources }] },
  });
  if (code === 200) return 'allowed';
  const { message } = JSON.parse(body) as { readonly message: string };
  if (code === 403 && message.includes('denied the request')) return 'refused';
  return /failed to call webhook: Post "[^"]*": (.*)$/s.exec(message)?.[1] ?? message;
}
