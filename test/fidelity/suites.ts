// The suites of docs/fidelity.md, and how many each must have compared in every minor before podrail may call itself judged.
export const FEWEST: Readonly<Record<string, number>> = {
  quantities: 1_000_000,
  'create validation': 100_000,
  'pod sums': 100_000,
  'QoS classes': 100_000,
  'resize validation': 100_000,
  'creates on the API server': 2_000,
  'resizes on the API server': 2_000,
  'known resizes on the API server': 75,
  'resizes on the kubelet': 300,
};
