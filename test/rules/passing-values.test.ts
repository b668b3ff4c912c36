// The largest value that a finding names does pass: sent back in place of what was asked, by every fixture of these rules.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Facts } from '../../src/rules/facts.ts';
import { RULES } from '../../src/rules/index.ts';
import { totalsOf } from '../../src/rules/passing-value.ts';
import type { Finding, Rule } from '../../src/rules/rule.ts';
import { compare, parseQuantity, quantityOf, toCanonical } from '../../src/model/quantity.ts';
import { type Fixture, factsOf, fixturesOf, sentPod } from './read-fixture.ts';

// Overhead is the runtime class's: there is nothing that the tenant could send instead.
const HOPELESS = 'finds-overhead-that-leaves-no-room';
// What these name is shaped for all rules; of the others only that they are content themselves.
const SIZES = ['resize-step', 'container-size', 'pod-size', 'limit-request-ratio', 'namespace-budget'];

interface Resourced {
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
}
type Spec = Resourced & { readonly containers: Resourced[]; readonly initContainers?: Resourced[] };

for (const rule of RULES) {
  describe(`the value that ${rule.id} names passes`, () => {
    for (const { name, fixture } of fixturesOf(rule.id)) {
      const findings = withoutContradictions(enforced(rule, fixture, factsOf(fixture)).filter(isOfValue));
      if (findings.length === 0 || name === HOPELESS) continue;
      test(`where it ${name.replaceAll('-', ' ')}`, () => {
        const sent = structuredClone(sentPod(fixture));
        for (const finding of findings) sendBack(fixture, sent, finding);
        const facts = factsOf(fixture, sent);
        const paths = findings.map(({ path }) => path);
        const left = enforced(rule, fixture, facts).filter(({ path }) => paths.includes(path));
        assert.deepEqual(left, []);
        if (!SIZES.includes(rule.id)) return;
        const within = RULES.find(({ id }) => id === 'requests-within-limits');
        assert.deepEqual(within?.check(facts, {}), [], 'and is no more than its limit');
      });
    }
  });
}

// Bounds are also classes of QoS, times and operating systems, which nobody can send in the place of a quantity.
function isOfValue({ path, bound, message }: Finding): boolean {
  if (bound === undefined || parseQuantity(bound).problem !== undefined) return false;
  return path === 'spec' ? / must (request|limit) /.test(message) : path.includes('.resources.');
}

// A request below what its containers ask for and above its own limit: whoever sends either value hears of the other.
function withoutContradictions(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ path, bound }) => findings.every((other) => other.path !== path || other.bound === bound));
}

function enforced(rule: Rule, fixture: Fixture, facts: Facts): readonly Finding[] {
  return rule.check(facts, rule.settings.parse(fixture.settings)).filter(({ advice }) => !advice);
}

function sendBack(fixture: Fixture, sent: Record<string, unknown>, { path, bound = '', message }: Finding): void {
  const spec = sent['spec'] as Spec;
  if (path === 'spec') {
    spread(fixture, sent, message, bound);
    return;
  }
  const [, list, index, requests, resource = ''] =
    /^spec\.(?:(containers|initContainers)\[(\d+)\]\.)?resources\.(requests|limits)\[(.+)\]$/.exec(path) ?? [];
  assert.ok(requests === 'requests' || requests === 'limits', path);
  const one =
    list === undefined ? spec : spec[list === 'containers' ? 'containers' : 'initContainers']?.[Number(index)];
  assert.ok(one, path);
  one.resources = { ...one.resources, [requests]: { ...one.resources?.[requests], [resource]: bound } };
}

/** A sum of the pod: one container after the other gives or takes until the bound is reached, after the pod where that has its own. */
function spread(fixture: Fixture, sent: Record<string, unknown>, message: string, bound: string): void {
  const list = message.includes(' must limit ') ? 'limits' : 'requests';
  const resource = message.includes(' memory ') ? 'memory' : 'cpu';
  const spec = sent['spec'] as Spec;
  const whole = spec.resources?.[list]?.[resource] === undefined ? [] : [spec];
  for (const one of [...whole, ...spec.containers, ...(spec.initContainers ?? [])]) {
    const { pod, version } = factsOf(fixture, sent);
    const total = totalsOf(pod, list, version).get(resource) ?? parseQuantity('0');
    const own = parseQuantity(String(one.resources?.[list]?.[resource] ?? '0'));
    const nanos = own.nanos + parseQuantity(bound).nanos - total.nanos;
    const to = toCanonical(quantityOf(nanos > 0n ? nanos : 0n, own.format));
    if (compare(own, parseQuantity(to)) !== 0)
      one.resources = { ...one.resources, [list]: { ...one.resources?.[list], [resource]: to } };
  }
}
