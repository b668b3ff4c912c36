// Which parts of a JSON text are worth reading. Everything else is stepped over, which is where the time of a webhook
// goes otherwise: env, volumes and the fields that managedFields name are most of a pod and no rule looks at them.

export type Shape = Scalar | Quantity | Presence | List | Entries | Fields;

/** A string, number, boolean or null as JSON.parse gives it. A list or object in its place is kept empty, to be complained of. */
interface Scalar {
  readonly kind: 'scalar';
}

/** A scalar whose number is kept as its own text: `1e3` stays `1e3`, and no digit is lost. */
interface Quantity {
  readonly kind: 'quantity';
}

/** Only whether it is set: an object or list is kept empty, whatever is in it. */
interface Presence {
  readonly kind: 'presence';
}

interface List {
  readonly kind: 'list';
  readonly items: Shape;
}

/** An object with any keys, such as labels. */
interface Entries {
  readonly kind: 'entries';
  readonly values: Shape;
}

/** An object of which only some keys are read. */
interface Fields {
  readonly kind: 'fields';
  /** The fields by the length of their names: most keys of a pod are told apart by that alone. */
  readonly byLength: readonly (readonly Field[] | undefined)[];
}

export interface Field {
  readonly name: string;
  /** The code of its first character, which tells most keys of one length apart. */
  readonly first: number;
  readonly shape: Shape;
  /** One bit per field, to see a key that stands twice. */
  readonly bit: number;
}

export const SCALAR: Shape = { kind: 'scalar' };
export const QUANTITY: Shape = { kind: 'quantity' };
export const PRESENCE: Shape = { kind: 'presence' };

export function list(items: Shape): Shape {
  return { kind: 'list', items };
}

export function entries(values: Shape): Shape {
  return { kind: 'entries', values };
}

/** At most 31 fields: they are counted in the bits of one small integer. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  const byLength: Field[][] = [];
  for (const [position, [name, shape]] of Object.entries(shapes).entries()) {
    (byLength[name.length] ??= []).push({ name, first: name.charCodeAt(0), shape, bit: 1 << position });
  }
  return { kind: 'fields', byLength };
}
