// What generated input is generated from: the same in every run, unless `PODRAIL_TEST_SEED` asks for other input.
export const SEED = Number(process.env['PODRAIL_TEST_SEED'] ?? 20_261_130);
