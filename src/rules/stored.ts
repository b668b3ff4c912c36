// What a resize would change, seen from one container or value: its stored counterpart, and how a value moved.
import { compare, type Quantity, toText } from '../model/quantity.ts';
import type { Container } from '../model/pod.ts';
import type { Facts } from './facts.ts';

/** The container as it is stored; undefined on a create, and for one that the resize would add. */
export function storedContainer({ before }: Facts, { kind, index, name }: Container): Container | undefined {
  if (before === undefined) return undefined;
  const list = kind === 'main' ? before.containers : before.initContainers;
  const inPlace = list[index];
  return inPlace?.name === name ? inPlace : list.find((container) => container.name === name);
}

/** Whether the resize sets this value to another one; on a create everything is new. */
export function isMoved(
  { before, changes }: Facts,
  container: Container | undefined,
  list: 'requests' | 'limits',
  resource: string,
): boolean {
  return (
    before === undefined ||
    changes.some(
      (change) => change.list === list && change.resource === resource && change.container?.name === container?.name,
    )
  );
}

/** `, as before`, `, down from 8Gi`, `, up from 500m`; nothing where there was no value. */
export function movedText(from: Quantity | undefined, to: Quantity): string {
  if (from === undefined) return '';
  const way = compare(to, from);
  if (way === 0) return ', as before';
  return `, ${way < 0 ? 'down' : 'up'} from ${toText(from)}`;
}
