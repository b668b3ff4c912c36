// What a resize is refused for, out of the words of a kubelet, of the API server's plugin that knows nodes, and of podrail's findings:
// all three name resources, and how much is requested of how much.
import type { JudgedFinding } from '../../src/admission/verdict.ts';
import { parseQuantity, type Quantity, toMillis, toUnits } from '../../src/model/quantity.ts';
import { compareNames, type Excess } from '../../src/model/resources.ts';

/** Of one resource, in millicores or bytes. */
export interface Shortage {
  readonly resource: string;
  /** By the whole pod. */
  readonly requested: bigint;
  /** What the node has of it, or has free. */
  readonly available: bigint;
}

export interface Reasons {
  readonly shortages: readonly Shortage[];
  /** Which managers of the kubelet hold fast what should change: `cpu`, `memory`. */
  readonly managers: readonly string[];
}

const THEIRS = /(\S+), requested: (\d+)(?:, used: (\d+))?, (?:capacity|allocatable): (\d+)/g;
const MANAGER = /\b(cpu|memory) manager\b/i;
const OURS =
  /must request at most (\S+)(?: of)? (\S+) to fit node "[^"]*"(?: now)?; it requests (\S+?)(?:, the pod (\S+) of (\S+) (?:allocatable|free))?(?:, so the resize waits)?$/;

/** What Kubernetes says. */
export function reasonsIn(message: string): Reasons {
  const shortages = [...message.matchAll(THEIRS)].map(([, resource = '', requested = '', used = '0', has = '']) => ({
    resource,
    requested: BigInt(requested),
    available: atLeastZero(BigInt(has) - BigInt(used)),
  }));
  return { shortages, managers: managersIn(message) };
}

/** What podrail says. */
export function reasonsOf(findings: readonly JudgedFinding[]): Reasons {
  return {
    shortages: findings.flatMap(({ message }) => shortagesIn(message)).sort(inOrder),
    managers: findings.flatMap(({ message }) => managersIn(message)),
  };
}

export function toShortage({ resource, wanted, available }: Excess): Shortage {
  return { resource, requested: counted(resource, wanted), available: atLeastZero(counted(resource, available)) };
}

/**
 * Whether Kubernetes gives those of podrail's reasons that it gives. The plugin names every resource. A kubelet names one reason only: a
 * manager before anything else; of what its node can never have memory before cpu, of what is not free now cpu before memory.
 */
export function isSaid(verdict: string, message: string, { shortages, managers }: Reasons): boolean {
  const theirs = reasonsIn(message);
  const [manager] = theirs.managers;
  if (manager !== undefined) return managers.includes(manager);
  const named = message.includes('allocatable')
    ? shortages
    : verdict === 'Deferred'
      ? shortages.slice(0, 1)
      : shortages.slice(-1);
  return named.length > 0 && theirs.shortages.map(toText).join() === named.map(toText).join();
}

function shortagesIn(message: string): readonly Shortage[] {
  const [, most = '', resource = '', own = '', sum = own, available = most] = OURS.exec(message) ?? [];
  if (resource === '') return [];
  const amount = (text: string): bigint => counted(resource, parseQuantity(text));
  return [{ resource, requested: amount(sum), available: amount(available) }];
}

function managersIn(message: string): readonly string[] {
  const [, resource] = MANAGER.exec(message) ?? [];
  return resource === undefined ? [] : [resource.toLowerCase()];
}

function counted(resource: string, quantity: Quantity): bigint {
  return resource === 'cpu' ? toMillis(quantity) : toUnits(quantity);
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

function inOrder(a: Shortage, b: Shortage): number {
  return compareNames(a.resource, b.resource);
}

function toText({ resource, requested, available }: Shortage): string {
  return `${requested} of ${available} ${resource}`;
}
