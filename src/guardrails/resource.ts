// What a Guardrail and a GuardrailException have in common, being resources of Kubernetes.
import { z } from 'zod';

export const API_VERSION = 'podrail.dev/v1alpha1';

// As the API server judges the names of resources: a DNS subdomain (RFC 1123).
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export const nameSchema = z
  .string()
  .meta({ examples: ['team-blue'] })
  .max(253, 'must have at most 253 characters')
  .regex(NAME, 'must be a name such as team-blue, in lower case letters, digits, "-" and "."');

/** The document of a kind. What `kubectl get --output yaml` adds, such as a status, is nobody's mistake. */
export function resourceSchema<Kind extends string, Spec extends z.ZodType>(kind: Kind, spec: Spec) {
  return z.strictObject({
    apiVersion: z.literal(API_VERSION),
    kind: z.literal(kind),
    metadata: z.looseObject({ name: nameSchema }).meta({ examples: ['{ name: team-blue }'] }),
    spec,
    status: z.unknown().optional(),
  });
}
