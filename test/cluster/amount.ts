// How much of generated input a run takes: all of it, or with `--short` a tenth, which is no evidence for docs/fidelity.md.
export const isShort = process.env['PODRAIL_TEST_SHORT'] === '1';

export function amount(whole: number): number {
  return isShort ? Math.ceil(whole / 10) : whole;
}
