// podrail.yaml: what it sets, and every mistake in it with its place.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DEFAULTS, readConfig } from '../src/config.ts';
import { toMistakeText } from '../src/guardrails/mistake.ts';
import { DEFAULT_LIMITS } from '../src/http/limits.ts';

const FILE = '/etc/podrail/podrail.yaml';

const mistakesIn = (text: string) => readConfig(text, 'podrail.yaml').mistakes.map(toMistakeText);

describe('podrail.yaml', () => {
  it('sets everything that a flag can set, and more; its paths are relative to its folder', () => {
    const text = `
listen: 0.0.0.0:9443
adminListen: ':9080'
tls: { dir: tls, caOut: /var/ca }
baseline:
  mode: warn
  rules:
    quantity-plausible: { mode: audit, maxCpu: 64 }
    resize-fits-now: { mode: 'off' }
guardrails: [guardrails/, ../more.yaml]
cluster: [/var/cluster.json]
kubernetesVersion: "1.34"
onFault: allow
namespace: podrail
audit: { level: all, file: audit.log, maxBytes: 1048576, maxFiles: 3 }
limits: { maxBodyBytes: 1000, keepAliveTimeoutMs: 180000 }
drain: { delayMs: 0, timeoutMs: 500 }
`;
    const { settings, mistakes } = readConfig(text, FILE);
    const { baselineRules, ...rest } = settings;
    assert.deepEqual(mistakes, []);
    assert.deepEqual(
      baselineRules?.map(({ rule, mode }) => [rule.id, mode]),
      [['quantity-plausible', 'audit']],
    );
    assert.deepEqual(rest, {
      listen: { host: '0.0.0.0', port: 9443 },
      adminListen: { host: undefined, port: 9080 },
      tlsDir: '/etc/podrail/tls',
      caOut: '/var/ca',
      baselineMode: 'warn',
      baselineOff: new Set(['resize-fits-now']),
      guardrails: ['/etc/podrail/guardrails', '/etc/more.yaml'],
      cluster: ['/var/cluster.json'],
      kubernetesVersion: { minor: 34 },
      onFault: 'allow',
      namespace: 'podrail',
      auditLevel: 'all',
      auditFile: '/etc/podrail/audit.log',
      auditMaxBytes: 1_048_576,
      auditMaxFiles: 3,
      limits: { maxBodyBytes: 1000, keepAliveTimeoutMs: 180_000, drainDelayMs: 0, drainTimeoutMs: 500 },
    });
  });

  it('hides no default by what it does not set', () => {
    assert.deepEqual(readConfig('onFault: allow\n', FILE), {
      settings: { onFault: 'allow', limits: {}, baselineRules: [], baselineOff: new Set() },
      mistakes: [],
    });
  });

  it('may turn the baseline off without quotes, though YAML takes that for false', () => {
    assert.equal(readConfig('baseline: { mode: off }\n', FILE).settings.baselineMode, 'off');
  });

  it('may be empty', () => {
    assert.deepEqual(readConfig('# nothing yet\n', FILE), { settings: {}, mistakes: [] });
  });

  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'an unknown setting, with the one that was meant',
      'onFualt: deny\n',
      ['podrail.yaml:1:1 unknown setting onFualt; did you mean onFault?'],
    ],
    [
      'an unknown setting inside another',
      'audit:\n  maxBits: 1\n',
      ['podrail.yaml:2:3 unknown setting maxBits; did you mean maxBytes?'],
    ],
    [
      'a word that is not one of a few',
      'audit: { level: denid }\n',
      ['podrail.yaml:1:17 audit.level must be one of denied, all; it is "denid"; did you mean denied?'],
    ],
    [
      'a list that is none',
      'cluster: cluster.yaml\n',
      ['podrail.yaml:1:10 cluster must be a list; it is "cluster.yaml"'],
    ],
    [
      'an address without a port',
      'listen: localhost\n',
      ['podrail.yaml:1:9 listen must be HOST:PORT or :PORT, such as 127.0.0.1:8443; it is "localhost"'],
    ],
    [
      'a version without quotes',
      'kubernetesVersion: 1.40\n',
      ['podrail.yaml:1:20 kubernetesVersion must be in quotes, such as "1.35"; it is 1.4'],
    ],
    [
      'a version that is none',
      'kubernetesVersion: newest\n',
      ['podrail.yaml:1:20 kubernetesVersion must be a version from "1.33" on; it is "newest"'],
    ],
    [
      'a number below its least',
      'audit: { maxFiles: 1 }\n',
      ['podrail.yaml:1:20 audit.maxFiles must be at least 2; it is 1'],
    ],
    [
      'a keep-alive shorter than that of the API server',
      'limits: { keepAliveTimeoutMs: 5000 }\n',
      ['podrail.yaml:1:31 limits.keepAliveTimeoutMs must be at least 90001; it is 5000'],
    ],
    [
      'an unknown rule of the baseline',
      'baseline:\n  rules:\n    quantity-plausble: {}\n',
      ['podrail.yaml:3:5 unknown rule quantity-plausble; did you mean quantity-plausible?'],
    ],
    [
      'a document that is no map',
      '- listen\n',
      ['podrail.yaml:1:1 must be a map of settings, such as { onFault: deny }'],
    ],
    [
      'text that is no YAML',
      'listen: [\n',
      [
        'podrail.yaml:2:1 a list in [ ] must be closed with ], and each of its lines must be indented by more than the key it belongs to',
      ],
    ],
    [
      'a key that stands twice, beside a setting that is unknown',
      'onFault: deny\nonFault: allow\nnamspace: podrail\n',
      [
        'podrail.yaml:2:1 key onFault must stand once in its map; it stands twice',
        'podrail.yaml:3:1 unknown setting namspace; did you mean namespace?',
      ],
    ],
    [
      'a document that cannot be read beside one that can',
      'onFault: deny\n---\nguardrails: }\n',
      ['podrail.yaml:3:13 Unexpected flow-map-end token in YAML stream: "}"'],
    ],
    [
      'a second document',
      'onFault: deny\n---\nonFault: allow\n',
      ['podrail.yaml:3:1 must not be here: the settings are one document'],
    ],
  ];
  for (const [what, text, expected] of cases) {
    it(`is refused with ${what}`, () => assert.deepEqual(mistakesIn(text), expected));
  }

  it('tells every mistake at once, and then sets nothing', () => {
    const text = 'onFault: never\naudit: { maxFiles: 0 }\nbaseline: { rules: { resize-fits-now: { mode: shout } } }\n';
    const { settings, mistakes } = readConfig(text, 'podrail.yaml');
    assert.deepEqual(settings, {});
    assert.deepEqual(mistakes.map(toMistakeText), [
      'podrail.yaml:1:10 onFault must be one of deny, allow; it is "never"',
      'podrail.yaml:2:20 audit.maxFiles must be at least 2; it is 0',
      'podrail.yaml:3:47 baseline.rules.resize-fits-now.mode must be one of enforce, fix, warn, audit, off; it is "shout"',
    ]);
  });
});

describe('examples/podrail.yaml', () => {
  const text = readFileSync(new URL('../examples/podrail.yaml', import.meta.url), 'utf8');

  it('has no mistake, and shows the defaults of the limits and of the audit as they are', () => {
    const { settings, mistakes } = readConfig(text, 'podrail.yaml');
    assert.deepEqual(mistakes, []);
    assert.deepEqual(settings.limits, DEFAULT_LIMITS);
    const { auditLevel, auditMaxBytes, auditMaxFiles, onFault } = DEFAULTS;
    const { auditLevel: level, auditMaxBytes: bytes, auditMaxFiles: files, onFault: answer } = settings;
    assert.deepEqual([level, bytes, files, answer], [auditLevel, auditMaxBytes, auditMaxFiles, onFault]);
  });

  it('stands in docs/configuration.md word for word', () => {
    const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
    assert.equal(/-->\n```yaml\n([\s\S]*?)```\n<!-- \/podrail\.yaml/.exec(page)?.[1], text);
  });
});
