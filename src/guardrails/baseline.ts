// The built-in guardrail: what podrail does for everyone before an operator has written anything.
import { RULES } from '../rules/index.ts';
import { BASELINE, type Guardrail } from './guardrail.ts';
import type { GuardrailRule } from './read-rules.ts';
import type { Mode } from './mode.ts';

/** What the baseline does with each rule. A rule that is not named here is off until a guardrail asks for it. */
export const BASELINE_MODES: Readonly<Record<string, Mode>> = {
  'quantity-valid': 'enforce',
  'quantity-plausible': 'enforce',
  'requests-within-limits': 'enforce',
  'resize-policy-valid': 'enforce',
  'resize-policy-declared': 'fix',
  'sidecar-restart-policy': 'enforce',
  'sidecar-has-requests': 'warn',
  'sidecar-has-startup-probe': 'warn',
  'sidecar-is-native': 'warn',
  'sidecar-ports-unique': 'warn',
  'resize-by-subresource': 'enforce',
  'resize-supported-pod': 'enforce',
  'resize-keeps-containers': 'enforce',
  'resize-only-cpu-memory': 'enforce',
  'resize-keeps-resources': 'enforce',
  'resize-keeps-qos': 'enforce',
  'resize-init-container': 'enforce',
  'resize-memory-limit': 'enforce',
  'resize-within-node': 'enforce',
  'resize-fits-now': 'warn',
  'resize-oom-killed': 'warn',
  'resize-autoscaled': 'warn',
};

/** How much of itself the baseline may use: `warn` refuses nothing, `audit` only records, `off` asks no rule. */
export type BaselineMode = 'enforce' | 'warn' | 'audit' | 'off';

/**
 * The baseline, weighed down to `mode`. `overrides` are rules the operator has set for himself, each in place of the
 * baseline's own (a rule set to `off` there is left out).
 */
export function createBaseline(
  mode: BaselineMode,
  overrides: readonly GuardrailRule[] = [],
  off: ReadonlySet<string> = new Set(),
): Guardrail {
  const rules = RULES.flatMap((rule): readonly GuardrailRule[] => {
    const override = overrides.find((own) => own.rule.id === rule.id);
    if (override) return [{ ...override, mode: weighed(override.mode, mode) }];
    const own = BASELINE_MODES[rule.id];
    return own === undefined || off.has(rule.id)
      ? []
      : [{ rule, mode: weighed(own, mode), settings: rule.settings.parse({}) }];
  });
  return { name: BASELINE, match: {}, exclude: {}, rules: rules.filter((rule) => rule.mode !== 'off') };
}

// Weighing down to `warn` keeps a fix: what it injects changes no behaviour and refuses nothing.
function weighed(own: Mode, most: BaselineMode): Mode {
  if (most === 'enforce' || own === 'off') return own;
  if (most === 'warn') return own === 'enforce' ? 'warn' : own;
  return most;
}
