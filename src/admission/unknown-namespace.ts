// Raised where a guardrail selects namespaces by label and nobody knows the namespace: not a silent allow, but a fault.

export class UnknownNamespace extends Error {
  override readonly name = 'UnknownNamespace';

  constructor(guardrail: string, namespace: string) {
    super(`guardrail "${guardrail}" selects namespaces by label, and namespace "${namespace}" is not known`);
  }
}
