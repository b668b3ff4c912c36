// Fields that Kubernetes does not know: a patch that misspells one is taken without them, and does less than it says.
import { suggestion } from '../guardrails/mistake.ts';
import { isMap, type JsonObject } from '../model/json-fields.ts';
import { CONTAINER_FIELDS, POD_FIELDS, RESIZE_POLICY_FIELDS, RESOURCES_FIELDS, SPEC_FIELDS } from './pod-fields.ts';

/** What is known at one level, and of which levels its own fields are; a list is a level for each of its items. */
interface Level {
  readonly known: ReadonlySet<string>;
  readonly inner: Readonly<Record<string, Level>>;
}

const RESOURCES: Level = { known: RESOURCES_FIELDS, inner: {} };
const RESIZE_POLICY: Level = { known: RESIZE_POLICY_FIELDS, inner: {} };
const CONTAINER: Level = { known: CONTAINER_FIELDS, inner: { resources: RESOURCES, resizePolicy: RESIZE_POLICY } };
const SPEC: Level = {
  known: SPEC_FIELDS,
  inner: { containers: CONTAINER, initContainers: CONTAINER, resources: RESOURCES },
};
const POD: Level = { known: POD_FIELDS, inner: { spec: SPEC } };

/** `unknown field "spec.contaners"`, as the API server warns, and what was meant: for what `requested` has and `stored` has not. */
export function unknownFields(stored: JsonObject, requested: JsonObject): readonly string[] {
  const before = new Set(unknownIn(stored, POD, '').map(({ path }) => path));
  const added = unknownIn(requested, POD, '').filter(({ path }) => !before.has(path));
  return added.map(
    ({ path, field, known }) => `Kubernetes drops the unknown field "${path}"${suggestion(field, known)}`,
  );
}

interface Unknown {
  readonly path: string;
  readonly field: string;
  readonly known: ReadonlySet<string>;
}

function unknownIn(json: unknown, level: Level, path: string): readonly Unknown[] {
  if (Array.isArray(json)) return json.flatMap((item: unknown, index) => unknownIn(item, level, `${path}[${index}]`));
  if (!isMap(json)) return [];
  return Object.entries(json).flatMap(([field, value]) => {
    const at = path === '' ? field : `${path}.${field}`;
    if (!level.known.has(field)) return { path: at, field, known: level.known };
    const inner = Object.hasOwn(level.inner, field) ? level.inner[field] : undefined;
    return inner === undefined ? [] : unknownIn(value, inner, at);
  });
}
