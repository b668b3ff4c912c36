// The CustomResourceDefinitions of Guardrail and GuardrailException.
import type { z } from 'zod';
import { exceptionSpec } from '../../src/guardrails/exception.ts';
import { BASELINE, guardrailSpec } from '../../src/guardrails/guardrail.ts';
import { RULES } from '../../src/rules/index.ts';
import type { Schema } from './forms.ts';
import { isSchema, toSchema } from './from-zod.ts';

interface Validation {
  readonly rule: string;
  readonly message: string;
}

interface Kind {
  readonly kind: string;
  readonly singular: string;
  readonly plural: string;
  readonly description: string;
  readonly spec: z.ZodType;
  readonly columns: readonly Schema[];
  /** On the object as a whole, and on its spec: what stands between two fields that are far from each other. */
  readonly validations: readonly Validation[];
  readonly specValidations: readonly Validation[];
}

const has = (path: string): string => {
  const steps = path.split('.');
  return steps.map((_, index) => `has(self.${steps.slice(0, index + 1).join('.')})`).join(' && ');
};
const perContainer = RULES.filter((rule) => rule.perContainer === true).map(({ id }) => id);
const celList = (words: readonly string[]): string => `[${words.map((word) => `'${word}'`).join(', ')}]`;
// A hyphen in the name of a field is written out in CEL.
const celField = (id: string): string => `self.rules.${id.replaceAll('-', '__dash__')}`;

// As fitsEvery of src/model/glob.ts.
const someFitsEvery = (list: string): string => `self.${list}.exists(one, one.matches('^[*]+$'))`;

const LISTS = ['namespaces', 'annotations', 'users', 'groups', 'serviceAccounts'];
const LEAVES_OUT = 'leaves out everyone that the guardrail is for';

const NOBODY_IS_BOTH: Validation = {
  rule: `!(${has('match.users')} && ${has('match.serviceAccounts')}) || size(self.match.users) == 0 || size(self.match.serviceAccounts) == 0 || self.match.users.exists(one, one.contains('*') || one.startsWith('system:serviceaccount:'))`,
  message: 'match.users picks nobody who is in match.serviceAccounts too; put one of them elsewhere',
};

const GUARDRAIL: Kind = {
  kind: 'Guardrail',
  singular: 'guardrail',
  plural: 'guardrails',
  description: 'Which rules apply to whom, in which mode, with which settings.',
  spec: guardrailSpec,
  columns: [
    { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  validations: [
    {
      rule: `self.metadata.name != '${BASELINE}'`,
      message: `metadata.name must be another than ${BASELINE}, which is the built-in guardrail`,
    },
  ],
  specValidations: [
    ...LISTS.map((list) => ({
      rule: `!(${has(`match.${list}`)} && ${has(`exclude.${list}`)}) || size(self.match.${list}) == 0 || !self.match.${list}.all(one, one in self.exclude.${list})`,
      message: `exclude.${list} ${LEAVES_OUT}`,
    })),
    ...['namespaces', 'users', 'groups'].map((list) => ({
      rule: `!(${has(`exclude.${list}`)}) || !${someFitsEvery(`exclude.${list}`)}`,
      message: `exclude.${list} ${LEAVES_OUT}`,
    })),
    ...['namespaceSelector', 'podSelector'].map((selector) => ({
      rule: `!(${has(`exclude.${selector}`)}) || (${has(`exclude.${selector}.matchLabels`)} && size(self.exclude.${selector}.matchLabels) > 0) || (${has(`exclude.${selector}.matchExpressions`)} && size(self.exclude.${selector}.matchExpressions) > 0)`,
      message: `exclude.${selector} ${LEAVES_OUT}`,
    })),
    {
      rule: `!(${has('match.namespaces')}) || size(self.match.namespaces) == 0 || self.match.namespaces.exists(one, !(one in ['kube-system', 'kube-node-lease']))`,
      message: 'match.namespaces picks nothing: podrail judges no pod in kube-system or kube-node-lease',
    },
    NOBODY_IS_BOTH,
    {
      rule: `!(${has('exclude.containers')}) || !${someFitsEvery('exclude.containers')}`,
      message: 'exclude.containers must leave a container to judge; stars alone leave out every one',
    },
    {
      rule: `!(${has('exclude.containers')}) || size(self.exclude.containers) == 0 || ${perContainer.map((id) => `has(${celField(id)})`).join(' || ')}`,
      message: 'exclude.containers leaves out nothing: each rule here judges the pod as a whole',
    },
  ],
};

const EXCEPTION: Kind = {
  kind: 'GuardrailException',
  singular: 'guardrailexception',
  plural: 'guardrailexceptions',
  description: 'Rules of one guardrail that do not hold for some, for a reason and until a moment.',
  spec: exceptionSpec,
  columns: [
    { name: 'Guardrail', type: 'string', jsonPath: '.spec.guardrail' },
    { name: 'Expires', type: 'string', jsonPath: '.spec.expires' },
    { name: 'Reason', type: 'string', jsonPath: '.spec.reason' },
  ],
  validations: [],
  specValidations: [
    NOBODY_IS_BOTH,
    {
      rule: `!(${has('match.containers')}) || size(self.match.containers) == 0 || self.rules.all(id, id in ${celList(perContainer)})`,
      message: 'a rule that judges the pod as a whole has no exception for some of its containers',
    },
  ],
};

/** Both CRDs, by the name of their file. */
export function crds(): ReadonlyMap<string, Schema> {
  return new Map([GUARDRAIL, EXCEPTION].map((kind) => [`${kind.plural}.podrail.dev.yaml`, toCrd(kind)]));
}

function toCrd({ kind, singular, plural, description, spec, columns, validations, specValidations }: Kind): Schema {
  const { 'x-kubernetes-validations': own = [], ...rest } = toStructural(toSchema(spec, 'crd'));
  const all = [...(own as readonly Validation[]), ...specValidations];
  const openAPIV3Schema = {
    type: 'object',
    description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: { ...rest, 'x-kubernetes-validations': all },
      status: STATUS,
    },
    ...(validations.length === 0 ? {} : { 'x-kubernetes-validations': validations }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.podrail.dev` },
    spec: {
      group: 'podrail.dev',
      scope: 'Cluster',
      names: { kind, singular, plural, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema },
        },
      ],
    },
  };
}

// As Kubernetes has conditions (metav1.Condition): podrail says there what is wrong.
const STATUS: Schema = {
  type: 'object',
  properties: {
    observedGeneration: { type: 'integer', format: 'int64' },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
        properties: {
          type: { type: 'string', maxLength: 316 },
          status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
          observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
          lastTransitionTime: { type: 'string', format: 'date-time' },
          reason: { type: 'string', minLength: 1, maxLength: 1024 },
          message: { type: 'string', maxLength: 32_768 },
        },
      },
    },
  },
};

/**
 * What a structural schema may hold. Left out: defaults, so that what is stored is what was written; names of properties, which
 * only CEL can judge; and that nothing else may be there, as the API server drops or refuses that by itself.
 */
function toStructural(schema: Schema): Schema {
  const { default: _, propertyNames: __, examples: ___, additionalProperties, ...rest } = schema;
  const structural: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'properties' && isSchema(value)) structural[key] = toStructuralFields(value);
    else structural[key] = isSchema(value) ? toStructural(value) : value;
  }
  if (isSchema(additionalProperties)) structural['additionalProperties'] = toStructural(additionalProperties);
  return structural;
}

function toStructuralFields(properties: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, isSchema(value) ? toStructural(value) : value]),
  );
}
