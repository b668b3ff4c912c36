// Guardrails and exceptions with one mistake each: what podrail says of it, and whether the API server refuses it by the CRD alone.

export interface BadDocument {
  readonly what: string;
  readonly text: string;
  /** After the place. */
  readonly message: string;
  /** Why a CRD cannot refuse it; then podrail says so in the status of the object. */
  readonly unknownToCrd?: string;
}

const GUARDRAIL = 'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: tenants }\n';
const EXCEPTION = 'apiVersion: podrail.dev/v1alpha1\nkind: GuardrailException\nmetadata: { name: migration }\n';

function rules(what: string, settings: string, message: string, unknownToCrd?: string): BadDocument {
  return withReason({ what, text: `${GUARDRAIL}spec:\n  rules:\n    ${settings}\n`, message }, unknownToCrd);
}

function spec(what: string, fields: string, message: string, unknownToCrd?: string): BadDocument {
  const text = `${GUARDRAIL}spec:\n  rules: { container-size: { max: { cpu: 2 } } }\n  ${fields}\n`;
  return withReason({ what, text, message }, unknownToCrd);
}

/** An exception without a mistake, as its fields are written. */
export const RIGHT = {
  guardrail: 'baseline',
  rules: '[container-size]',
  match: '{}',
  reason: 'CHG-1042',
  expires: '2027-01-31T00:00:00Z',
};

function exception(what: string, fields: Partial<typeof RIGHT>, message: string, unknownToCrd?: string): BadDocument {
  const all = Object.entries({ ...RIGHT, ...fields }).filter(([, value]) => value !== '');
  const text = `${EXCEPTION}spec:\n${all.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`;
  return withReason({ what, text, message }, unknownToCrd);
}

function withReason(document: BadDocument, unknownToCrd: string | undefined): BadDocument {
  return unknownToCrd === undefined ? document : { ...document, unknownToCrd };
}

const RESOURCE = 'must be cpu, memory, ephemeral-storage, hugepages-… or a resource such as nvidia.com/gpu';
const QUANTITY = 'must be a quantity such as 500m or 2Gi';
const DURATION = 'must be a duration such as 90s, 10m or 1h30m';
const FACTOR = 'must be a number of at least 1, such as 2 or 1.5';
const LINE = 'must be one line of at most 100 characters';

const ACROSS =
  'a minimum is compared with plain maxima alone: more comparisons would cost more than Kubernetes allows a CRD';
const OTHER_RESOURCES =
  'only cpu and memory are compared: more comparisons would cost more than Kubernetes allows a CRD';
const FINE = 'a pattern of text cannot tell how small a fraction is that has a unit or an exponent';
const CONTRADICTION = 'whether requirements exclude one another is more than an expression of bounded cost can tell';
const OTHER_OBJECT = 'a CRD sees no other object';

/** One mistake each, in the order of the documentation of guardrails. */
export const BAD_DOCUMENTS: readonly BadDocument[] = [
  {
    what: 'another version',
    text: 'apiVersion: podrail.dev/v1\nkind: Guardrail\nmetadata: { name: a }\nspec: { rules: {} }\n',
    message: 'apiVersion must be podrail.dev/v1alpha1; it is "podrail.dev/v1"',
  },
  {
    what: 'another kind',
    text: 'apiVersion: podrail.dev/v1alpha1\nkind: Guardrial\nmetadata: { name: a }\nspec: { rules: {} }\n',
    message: 'kind must be Guardrail or GuardrailException; it is "Guardrial"; did you mean Guardrail?',
  },
  {
    what: 'no name',
    text: 'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: {}\nspec: { rules: {} }\n',
    message: 'metadata.name must be set, such as team-blue',
  },
  {
    what: 'a name that Kubernetes refuses',
    text: 'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: Team_Blue }\nspec: { rules: {} }\n',
    message:
      'metadata.name must be a name such as team-blue, in lower case letters, digits, "-" and "."; it is "Team_Blue"',
  },
  {
    what: 'the name of the built-in guardrail',
    text: 'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: baseline }\nspec: { rules: {} }\n',
    message: 'metadata.name must be another than baseline, which is the built-in guardrail',
  },
  { what: 'no spec', text: GUARDRAIL, message: 'spec must be set to a map of mode, match, exclude, rules' },
  {
    what: 'no rules',
    text: `${GUARDRAIL}spec: {}\n`,
    message: 'spec.rules must be set, such as { container-size: { max: { cpu: "2" } } }',
  },
  { what: 'rules in a list', text: `${GUARDRAIL}spec: { rules: [] }\n`, message: 'spec.rules must be a map; it is []' },
  spec(
    'an unknown mode',
    'mode: enforced',
    'spec.mode must be one of enforce, fix, warn, audit, off; it is "enforced"; did you mean enforce?',
  ),
  spec('an unknown setting', 'matches: {}', 'unknown setting matches; did you mean match?'),
  spec('an unknown selector', 'match: { namespace: [a] }', 'unknown setting namespace; did you mean namespaces?'),
  spec('a text in the place of a list', 'match: { users: bob }', 'spec.match.users must be a list; it is "bob"'),
  spec('an empty name', 'match: { groups: [""] }', 'spec.match.groups[0] must not be empty; it is ""'),
  spec(
    'a namespace that there cannot be',
    'match: { namespaces: [Team-*] }',
    'spec.match.namespaces[0] must be a namespace or a glob, in lower case letters, digits, "-" and "*"; it is "Team-*"',
  ),
  spec(
    'only namespaces that podrail leaves alone',
    'match: { namespaces: [kube-system, kube-node-lease] }',
    'spec.match.namespaces picks nothing: podrail judges no pod in kube-system or kube-node-lease',
  ),
  spec(
    'a service account without its namespace',
    'match: { serviceAccounts: [vpa-updater] }',
    'spec.match.serviceAccounts[0] must be namespace/name, such as kube-system/vpa-updater; it is "vpa-updater"',
  ),
  spec(
    'a label that there cannot be',
    'match: { podSelector: { matchLabels: { a: "x w" } } }',
    'spec.match.podSelector.matchLabels.a must be the value of a label: at most 63 letters, digits, "-", "_" and "."; it is "x w"',
  ),
  spec(
    'the name of a label that there cannot be',
    'match: { podSelector: { matchLabels: { "a b": x } } }',
    'spec.match.podSelector.matchLabels.a b must be the name of a label, such as app.kubernetes.io/name',
  ),
  spec(
    'an operator that there is not',
    'match: { podSelector: { matchExpressions: [{ key: a, operator: in, values: [x] }] } }',
    'spec.match.podSelector.matchExpressions[0].operator must be one of In, NotIn, Exists, DoesNotExist; it is "in"; did you mean In?',
  ),
  spec(
    'an operator without values',
    'match: { podSelector: { matchExpressions: [{ key: a, operator: In }] } }',
    'spec.match.podSelector.matchExpressions[0].values must name at least one value for In and NotIn, and none for Exists and DoesNotExist',
  ),
  spec(
    'labels that exclude one another',
    'match: { podSelector: { matchLabels: { a: x }, matchExpressions: [{ key: a, operator: NotIn, values: [x] }] } }',
    'spec.match.podSelector can match nothing: no value of label a fits all of it; it is {"matchLabels":{"a":"x"},"matchExpressi…',
    CONTRADICTION,
  ),
  spec(
    'an exclusion of all that match',
    'match: { namespaces: [a, b] }\n  exclude: { namespaces: [b, a] }',
    'spec.exclude.namespaces leaves out everyone that the guardrail is for',
  ),
  spec(
    'an exclusion of everyone',
    'exclude: { users: ["*"] }',
    'spec.exclude.users leaves out everyone that the guardrail is for',
  ),
  ...['namespaces', 'users', 'groups'].map((list) =>
    spec(
      `everyone left out by several stars of ${list}`,
      `exclude: { ${list}: [a, "**"] }`,
      `spec.exclude.${list} leaves out everyone that the guardrail is for`,
    ),
  ),
  spec(
    'every container left out by several stars',
    'exclude: { containers: [istio-proxy, "***"] }',
    'spec.exclude.containers must leave a container to judge; "***" leaves out every one',
  ),
  spec(
    'an exclusion by an empty selector',
    'exclude: { podSelector: {} }',
    'spec.exclude.podSelector leaves out everyone that the guardrail is for',
  ),
  spec(
    'a person who is a service account',
    'match: { users: [ann, bob], serviceAccounts: ["*"] }',
    'spec.match.users picks nobody who is in spec.match.serviceAccounts too; put one of them elsewhere',
  ),
  spec(
    'an exclusion of every container',
    'exclude: { containers: [istio-proxy, "*"] }',
    'spec.exclude.containers must leave a container to judge; "*" leaves out every one',
  ),
  {
    what: 'containers left out of rules that judge the pod as a whole',
    text: `${GUARDRAIL}spec:\n  exclude: { containers: [a] }\n  rules: { pod-size: { max: { requests: { cpu: 2 } } } }\n`,
    message: 'spec.exclude.containers leaves out nothing: each rule here judges the pod as a whole',
  },
  rules(
    'an unknown rule',
    'quantity-plausable: {}',
    'unknown rule quantity-plausable; did you mean quantity-plausible?',
  ),
  rules(
    'a rule without a map',
    'resize-restarts: warn',
    'spec.rules.resize-restarts must be a map of settings, such as { mode: warn }',
  ),
  rules(
    'an unknown mode of a rule',
    'resize-restarts: { mode: wran }',
    'spec.rules.resize-restarts.mode must be one of enforce, fix, warn, audit, off; it is "wran"; did you mean warn?',
  ),
  rules(
    'a rule without a bound',
    'container-size: {}',
    'spec.rules.container-size must set min, max, requests, limits, main, sidecar or init; without any of them it finds nothing',
  ),
  rules(
    'a mode and no bound',
    'pod-size: { mode: warn }',
    'spec.rules.pod-size must set min or max; without any of them it finds nothing',
  ),
  rules(
    'no ratio',
    'limit-request-ratio: {}',
    'spec.rules.limit-request-ratio must set cpu, memory or ephemeral-storage; without any of them it finds nothing',
  ),
  rules(
    'no step',
    'resize-step: {}',
    'spec.rules.resize-step must set grow or shrink; without any of them it finds nothing',
  ),
  rules(
    'a step without its size',
    'resize-step: { grow: {} }',
    'spec.rules.resize-step.grow must set factor or amount; it is {}',
  ),
  rules(
    'a bound of no resource',
    'container-size: { max: {} }',
    'spec.rules.container-size.max must name a resource, such as { cpu: "2" }; it is {}',
  ),
  rules(
    'requests without a bound',
    'container-size: { requests: {} }',
    'spec.rules.container-size.requests must set min or max; it is {}',
  ),
  rules(
    'a kind of container without a bound',
    'container-size: { sidecar: {} }',
    'spec.rules.container-size.sidecar must set min, max, requests or limits; it is {}',
  ),
  rules(
    'a bound of neither requests nor limits',
    'pod-size: { max: {} }',
    'spec.rules.pod-size.max must set requests or limits; it is {}',
  ),
  rules(
    'a budget of no resource',
    'namespace-budget: { requests: {} }',
    'spec.rules.namespace-budget.requests must name a resource, such as { cpu: "2" }; it is {}',
  ),
  rules(
    'nothing that is required',
    'resources-required: { requests: [] }',
    'spec.rules.resources-required must require a request or a limit; it is {"requests":[]}',
  ),
  rules(
    'a requirement of no container',
    'resources-required: { kinds: [] }',
    'spec.rules.resources-required.kinds must name a kind of container; without one nothing is required; it is []',
  ),
  rules(
    'no sidecar to look for',
    'sidecar-is-native: { sidecars: [] }',
    'spec.rules.sidecar-is-native.sidecars must name at least one; without it there is nothing to find; it is []',
  ),
  rules(
    'no sidecar that comes first',
    'sidecar-starts-first: { sidecars: [] }',
    'spec.rules.sidecar-starts-first.sidecars must name at least one; without it there is nothing to find; it is []',
  ),
  rules(
    'no container that a sidecar comes before',
    'sidecar-starts-first: { before: [] }',
    'spec.rules.sidecar-starts-first.before must name at least one; without it there is nothing to find; it is []',
  ),
  rules(
    'a bound beside what it belongs under',
    'container-size: { cpu: "2" }',
    'unknown setting cpu; did you mean min.cpu or max.cpu?',
  ),
  rules(
    'an unknown setting like no other',
    'resize-step: { most: 2 }',
    'unknown setting most; spec.rules.resize-step may have mode, grow, shrink',
  ),
  rules(
    'an unknown setting of a rule',
    'quantity-plausible: { maxcpu: 5 }',
    'unknown setting maxcpu; did you mean maxCpu?',
  ),
  rules(
    'a setting of a rule that has none',
    'resize-keeps-qos: { strict: true }',
    'unknown setting strict; spec.rules.resize-keeps-qos may have mode',
  ),
  rules(
    'a quantity that is none',
    'quantity-plausible: { minMemory: 1Q }',
    `spec.rules.quantity-plausible.minMemory ${QUANTITY}; it is "1Q"`,
  ),
  rules(
    'a negative quantity',
    'container-size: { max: { cpu: -1 } }',
    `spec.rules.container-size.max.cpu ${QUANTITY}; it is -1`,
  ),
  rules(
    'a fraction without quotes',
    'container-size: { max: { cpu: 0.5 } }',
    'spec.rules.container-size.max.cpu must be in quotes where it is no whole number, such as "0.5"; it is 0.5',
  ),
  rules(
    'a bound that is too fine',
    'container-size: { max: { cpu: 1u } }',
    'spec.rules.container-size.max.cpu must be no finer than 1m; it is "1u"',
  ),
  rules(
    'a bound with too many decimals',
    'container-size: { max: { cpu: "0.0001" } }',
    'spec.rules.container-size.max.cpu must be no finer than 1m; it is "0.0001"',
  ),
  rules(
    'a bound that is too fine, by its exponent',
    'container-size: { max: { cpu: "1e-4" } }',
    'spec.rules.container-size.max.cpu must be no finer than 1m; it is "1e-4"',
    FINE,
  ),
  rules(
    'a resource that there is not',
    'container-size: { max: { memroy: 1Gi } }',
    `spec.rules.container-size.max.memroy ${RESOURCE}`,
  ),
  rules(
    'a minimum above its maximum',
    'container-size: { min: { cpu: 2, memory: 1Mi }, max: { cpu: 1500m, memory: 1Mi } }',
    'spec.rules.container-size.min.cpu must be at most the max, 1500m; it is 2',
  ),
  rules(
    'a minimum of requests above the maximum of both',
    'container-size: { max: { memory: 1Gi }, requests: { min: { memory: 1025Mi } } }',
    'spec.rules.container-size.requests.min.memory must be at most the max, 1Gi; it is "1025Mi"',
  ),
  rules(
    'a minimum of sidecars above their maximum of limits',
    'container-size: { sidecar: { min: { cpu: 1 }, limits: { max: { cpu: 500m } } } }',
    'spec.rules.container-size.sidecar.min.cpu must be at most the max, 500m; it is 1',
  ),
  rules(
    'a minimum of one kind above the maximum of all',
    'container-size: { max: { cpu: 1 }, init: { min: { cpu: 2 } } }',
    'spec.rules.container-size.init.min.cpu must be at most the max, 1; it is 2',
  ),
  rules(
    'a minimum of one kind above the maximum of all limits',
    'container-size: { limits: { max: { cpu: 1 } }, init: { min: { cpu: 2 } } }',
    'spec.rules.container-size.init.min.cpu must be at most the max, 1; it is 2',
    ACROSS,
  ),
  rules(
    'a minimum of storage above its maximum',
    'container-size: { max: { ephemeral-storage: 1Gi }, min: { ephemeral-storage: 2Gi } }',
    'spec.rules.container-size.min.ephemeral-storage must be at most the max, 1Gi; it is "2Gi"',
    OTHER_RESOURCES,
  ),
  rules(
    'a minimum of a pod above its maximum',
    'pod-size: { min: { limits: { cpu: 2 } }, max: { limits: { cpu: "1.5" } } }',
    'spec.rules.pod-size.min.limits.cpu must be at most the max, 1.5; it is 2',
  ),
  rules(
    'a ratio below 1',
    'limit-request-ratio: { cpu: 0.5 }',
    `spec.rules.limit-request-ratio.cpu ${FACTOR}; it is 0.5`,
  ),
  rules(
    'a factor that is no number',
    'resize-step: { grow: { factor: half } }',
    `spec.rules.resize-step.grow.factor ${FACTOR}; it is "half"`,
  ),
  rules(
    'a time without a unit',
    'resize-cooldown: { period: 10 }',
    `spec.rules.resize-cooldown.period ${DURATION}; it is 10`,
  ),
  rules(
    'no time at all',
    'resize-cooldown: { period: 0s }',
    `spec.rules.resize-cooldown.period ${DURATION}; it is "0s"`,
  ),
  rules(
    'nobody who may',
    'resize-actor: { grow: {} }',
    'spec.rules.resize-actor.grow must name users, groups or serviceAccounts; it is {}',
  ),
  rules(
    'an empty list of who may',
    'resize-actor: { grow: { groups: [] } }',
    'spec.rules.resize-actor.grow must name users, groups or serviceAccounts; it is {"groups":[]}',
  ),
  rules(
    'neither who may grow nor who may shrink',
    'resize-actor: {}',
    'spec.rules.resize-actor must say who may grow or who may shrink; it is {}',
  ),
  rules(
    'a required resource that there is not',
    'resources-required: { limits: [memroy] }',
    `spec.rules.resources-required.limits[0] ${RESOURCE}; it is "memroy"`,
  ),
  rules(
    'a kind of container that there is not',
    'resources-required: { kinds: [sidecars] }',
    'spec.rules.resources-required.kinds[0] must be one of main, sidecar, init; it is "sidecars"; did you mean sidecar?',
  ),
  rules(
    'a budget of nothing',
    'namespace-budget: {}',
    'spec.rules.namespace-budget.requests must be set, such as { cpu: "2", memory: 4Gi }',
  ),
  rules(
    'no reason',
    'resize-frozen: { allowShrink: true }',
    'spec.rules.resize-frozen.reason must be set, such as migration CHG-1042',
  ),
  rules(
    'a reason without words',
    'resize-frozen: { reason: "..." }',
    `spec.rules.resize-frozen.reason ${LINE}; it is "..."`,
  ),
  rules(
    'a reason of two lines',
    String.raw`resize-frozen: { reason: "a\nb" }`,
    `spec.rules.resize-frozen.reason ${LINE}; it is "a\nb"`,
  ),
  rules(
    'a policy that there is not',
    'resize-policy-declared: { memory: restart }',
    'spec.rules.resize-policy-declared.memory must be one of NotRequired, RestartContainer; it is "restart"',
  ),
  rules(
    'a profile for nobody',
    'resize-policy-declared: { profiles: [{ cpu: NotRequired }] }',
    'spec.rules.resize-policy-declared.profiles[0] must say for which images or for which pods it is; it is {"cpu":"NotRequired"}',
  ),
  rules(
    'a profile for no image',
    'resize-policy-declared: { profiles: [{ images: [], cpu: NotRequired }] }',
    'spec.rules.resize-policy-declared.profiles[0].images must name an image; it is []',
  ),
  rules(
    'a profile that says nothing',
    'resize-policy-declared: { profiles: [{ images: [nginx] }] }',
    'spec.rules.resize-policy-declared.profiles[0] must say what is declared for cpu or for memory; it is {"images":["nginx"]}',
  ),
  rules(
    'a setting of a kubelet that there is not',
    'resize-within-node: { nodes: [{ selector: {}, cpuManager: Static }] }',
    'spec.rules.resize-within-node.nodes[0].cpuManager must be one of none, static; it is "Static"; did you mean static?',
  ),
  exception('an exception without a guardrail', { guardrail: '' }, 'spec.guardrail must be set, such as tenants'),
  exception(
    'an exception to a guardrail that is not there',
    { guardrail: 'baselin' },
    'spec.guardrail names no guardrail that there is; it is "baselin"; did you mean baseline?',
    OTHER_OBJECT,
  ),
  exception(
    'an exception of a rule that there is not',
    { rules: '[container-sizes]' },
    'unknown rule container-sizes; did you mean container-size?',
  ),
  exception('an exception of no rule', { rules: '[]' }, 'spec.rules must name at least one rule; it is []'),
  exception(
    'an exception for containers of a rule that judges the pod as a whole',
    { rules: '[container-size, pod-size]', match: '{ containers: [app] }' },
    'pod-size judges the pod as a whole, so there is no exception for some of its containers',
  ),
  exception(
    'an exception without a reason',
    { reason: '' },
    'spec.reason must be set, such as CHG-1042 data migration',
  ),
  exception('an exception with an empty reason', { reason: '" "' }, 'spec.reason must say why; it is " "'),
  exception('an exception without an end', { expires: '' }, 'spec.expires must be set, such as 2027-01-31T00:00:00Z'),
  exception(
    'an exception until a day',
    { expires: '2027-01-31' },
    'spec.expires must be a time with its zone, such as 2027-01-31T00:00:00Z; it is "2027-01-31"',
  ),
  exception(
    'an exception until a day that no month has',
    { expires: '2027-13-31T00:00:00Z' },
    'spec.expires must be a time that there is, such as 2027-01-31T00:00:00Z; it is "2027-13-31T00:00:00Z"',
  ),
  exception(
    'an exception until a day that its month does not have',
    { expires: '2027-02-29T00:00:00Z' },
    'spec.expires must be a time that there is, such as 2027-01-31T00:00:00Z; it is "2027-02-29T00:00:00Z"',
  ),
  exception(
    'an exception until an hour that no day has',
    { expires: '2027-01-31T24:00:00Z' },
    'spec.expires must be a time that there is, such as 2027-01-31T00:00:00Z; it is "2027-01-31T24:00:00Z"',
  ),
  exception(
    'an exception until a second that no minute has',
    { expires: '2027-01-31T23:59:60Z' },
    'spec.expires must be a time that there is, such as 2027-01-31T00:00:00Z; it is "2027-01-31T23:59:60Z"',
  ),
  exception(
    'an exception that does not say for whom',
    { match: '' },
    'spec.match must be set, such as { namespaces: [payments] }; {} is everyone',
  ),
  exception(
    'an exception for a person who is a service account',
    { match: '{ users: [ann], serviceAccounts: [kube-system/vpa-updater] }' },
    'spec.match.users picks nobody who is in spec.match.serviceAccounts too; put one of them elsewhere',
  ),
];
