// The scenes of docs/vpa.md: a namespace each, with a Deployment, a VPA, and guardrails.
import { parse } from 'yaml';
import { blockOf, pageText } from './page.ts';

export const PAGE = pageText('vpa.md');

/** Which guardrails hold in a scene: those of the page, a bound alone, or none. */
type Guardrails = 'page' | 'enforce' | 'warn' | 'none';

export interface Scene {
  /** What the page's table says in its first columns. */
  readonly podrail: string;
  readonly updateMode: 'InPlaceOrRecreate' | 'InPlace';
  readonly recommended: string;
  readonly guardrails: Guardrails;
  /** Recommended cpu; the pods are inside VPA's range from `least` on. */
  readonly cpu: { readonly target: string; readonly least: string };
  /** Whether the VPA has bounds of its own, as the page gives them. */
  readonly isCapped?: true;
}

const BOUND = '500m';
const FOR_BOUND = 'refuses it for a bound of 500m';
const FOR_NODE = 'refuses it for the node, which has 4 cores';
const PAIR = 'has the guardrails above';

/** In the order of the page. The page's guardrails match `team-*`. */
export const SCENES: Readonly<Record<string, Scene>> = {
  allowed: scene('allows it', 'none', '300m'),
  warned: scene('warns of a bound of 500m', 'warn', '700m'),
  bounded: scene(FOR_BOUND, 'enforce', '700m'),
  'over-node': scene(FOR_NODE, 'none', '8'),
  'bounded-in-place': { ...scene(FOR_BOUND, 'enforce', '700m'), updateMode: 'InPlace' },
  'over-node-in-place': { ...scene(FOR_NODE, 'none', '8'), updateMode: 'InPlace' },
  'team-content': {
    ...scene(PAIR, 'page', '700m'),
    recommended: '700m, 200m would do',
    cpu: { target: '700m', least: '200m' },
  },
  'team-hungry': { ...scene(PAIR, 'page', '700m'), recommended: '700m, no less' },
  'team-capped': {
    ...scene(`${PAIR}, VPA has the same bounds`, 'page', '700m'),
    recommended: '700m, no less',
    isCapped: true,
  },
};

function scene(podrail: string, guardrails: Guardrails, target: string): Scene {
  return { podrail, guardrails, updateMode: 'InPlaceOrRecreate', recommended: target, cpu: { target, least: target } };
}

/** Every guardrail of the scenes, as one file. */
export function guardrailsOfScenes(): string {
  const alone = Object.entries(SCENES).flatMap(([namespace, { guardrails }]) =>
    guardrails === 'enforce' || guardrails === 'warn'
      ? [
          JSON.stringify({
            apiVersion: 'podrail.dev/v1alpha1',
            kind: 'Guardrail',
            metadata: { name: namespace },
            spec: {
              mode: guardrails,
              match: { namespaces: [namespace] },
              rules: { 'container-size': { max: { cpu: BOUND } } },
            },
          }),
        ]
      : [],
  );
  return [required('guardrails'), ...alone].join('\n---\n');
}

/** The VPA of a scene: the page's, with its bounds or without. */
export function vpaOf({ updateMode, isCapped }: Scene): string {
  const vpa = parse(required('vpa')) as { readonly spec: { resourcePolicy?: object; updatePolicy: object } };
  if (!isCapped) delete vpa.spec.resourcePolicy;
  vpa.spec.updatePolicy = { updateMode };
  return JSON.stringify(vpa);
}

/** What the recommender would write into its status. */
export function recommendationOf({ cpu: { target, least } }: Scene): string {
  const recommendation = {
    containerRecommendations: [
      {
        containerName: 'app',
        target: { cpu: target, memory: '128Mi' },
        lowerBound: { cpu: least, memory: '64Mi' },
        upperBound: { cpu: '16', memory: '512Mi' },
      },
    ],
  };
  return JSON.stringify({ status: { recommendation } });
}

/** Two replicas of 100m, limited to 200m. */
export const DEPLOYMENT = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec('100m', '200m') },
  },
});

/** A pod as VPA's own webhook leaves it. */
export const SIZED_BY_VPA = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'sized-by-vpa',
    annotations: { vpaUpdates: 'Pod resources updated by web: container 0: cpu request' },
  },
  spec: podSpec('700m', '1400m'),
});

function podSpec(request: string, limit: string): object {
  const resources = { requests: { cpu: request, memory: '100Mi' }, limits: { cpu: limit, memory: '200Mi' } };
  return { containers: [{ name: 'app', image: 'app', resources }] };
}

/** A block of the page. */
export function required(label: string): string {
  const text = blockOf(PAGE, label);
  if (text === undefined) throw new Error(`docs/vpa.md has no block "${label}"`);
  return text;
}
