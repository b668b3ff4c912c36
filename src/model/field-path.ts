// A field path as the API server writes it, taken apart.

/** `spec.containers[0].resources.requests[cpu]` → its steps; a number in brackets is an index. */
export function toSteps(path: string): readonly PropertyKey[] {
  const steps = path.match(/[^.[\]]+|(?<=\[)[^\]]+(?=\])/g) ?? [];
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
