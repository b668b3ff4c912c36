// `podrail check` says of a manifest what `podrail serve` says when the pod is created: every fixture of a create, and any pod.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import jsonpatch from 'jsonpatch';
import { stringify } from 'yaml';
import type { PatchOperation } from '../../src/model/json-patch.ts';
import type { ReviewContext } from '../../src/admission/review.ts';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { checkText } from '../../src/commands/check-text.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import { RULES } from '../../src/rules/index.ts';
import { guardrailsOf, pod, settings } from '../admission/arbitrary-request.ts';
import { contextOf, post, reviewOf } from '../admission/reviewing.ts';
import { fixturesOf } from '../rules/read-fixture.ts';

interface Said {
  readonly allowed: boolean;
  readonly refused: readonly string[];
  readonly warned: readonly string[];
  readonly patch: unknown;
}

interface Asked {
  readonly object: object;
  readonly namespace: string;
  readonly requester: { readonly name: string; readonly groups: readonly string[] };
}

/** Both phases over the wire, the second with the pod that the first has patched. */
function served({ object, namespace, requester }: Asked, context: ReviewContext): Said {
  const userInfo = { username: requester.name, groups: requester.groups };
  const mutated = post(reviewOf({ object, namespace, userInfo }), 'mutate', context);
  const patch = (mutated.patch ?? []) as PatchOperation[];
  const patched: unknown = jsonpatch.apply_patch(object, patch);
  const validated = post(reviewOf({ object: patched, namespace, userInfo }), 'validate', context);
  const lines = (validated.response.status?.message ?? '').split('\n').filter((line) => line.startsWith('['));
  const told = mutated.response.warnings ?? [];
  const fixes = told.filter((line) => line.includes(' fixed: ')).map((line) => line.replace(' fixed: ', ' '));
  const core = told.filter((line) => !line.includes(' fixed: '));
  return {
    allowed: validated.response.allowed && core.length === 0,
    refused: [...new Set([...lines, ...core])].sort(),
    warned: [...fixes, ...(validated.response.warnings ?? [])].sort(),
    patch,
  };
}

function checked({ object, namespace, requester }: Asked, context: ReviewContext): Said {
  const manifest = stringify({ apiVersion: 'v1', kind: 'Pod', ...object });
  const { pods, patched, mistakes } = checkText('pod.yaml', manifest, {
    ...context,
    namespace,
    requester,
    now: context.now(),
  });
  assert.deepEqual(mistakes, []);
  const lines = (levels: readonly string[]): readonly string[] =>
    pods
      .flatMap(({ findings }) => findings)
      .filter(({ level }) => levels.includes(level))
      .map(({ rule, message }) => `[${rule}] ${message}`)
      .sort();
  const refused = lines(['error']);
  return {
    allowed: refused.length === 0,
    refused,
    warned: lines(['warning', 'fixed']),
    patch: patched[0]?.patch ?? [],
  };
}

describe('check and serve agree', () => {
  for (const rule of RULES.filter(({ scopes }) => scopes.includes('create'))) {
    for (const { name, fixture } of fixturesOf(rule.id).filter(({ fixture }) => fixture.scope === 'create')) {
      it(`on ${rule.id}, ${name}`, () => {
        const own = {
          rule,
          mode: rule.fix ? ('fix' as const) : ('enforce' as const),
          settings: rule.settings.parse(fixture.settings),
        };
        const guardrail: Guardrail = { name: 'own', match: {}, exclude: {}, rules: [own] };
        const cluster = createClusterView([...fixture.nodes, ...fixture.pods]);
        const context = contextOf({ version: fixture.version, now: fixture.now, cluster, guardrails: [guardrail] });
        const { namespace = 'team-blue' } = fixture.pod['metadata'] as { readonly namespace?: string };
        const asked = {
          object: { ...fixture.pod, metadata: { ...(fixture.pod['metadata'] as object), namespace } },
          namespace,
          requester: fixture.requester,
        };
        assert.deepEqual(checked(asked, context), served(asked, context));
      });
    }
  }

  it('on any pod, with any guardrails in mode fix', () => {
    fc.assert(
      fc.property(pod, settings, (object, all) => {
        const context = contextOf({ guardrails: guardrailsOf(all) });
        const asked = { object, namespace: 'team-blue', requester: { name: 'dev-lee', groups: [] } };
        assert.deepEqual(checked(asked, context), served(asked, context));
      }),
    );
  });
});
