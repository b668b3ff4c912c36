// Raised when a body is no v1 AdmissionReview that podrail can answer: then there is no request to allow or deny, the
// caller gets HTTP 400, and the webhook's failurePolicy decides.

export class InvalidReview extends Error {
  override readonly name = 'InvalidReview';
  /** Where in the text, in characters from 0, when it is no JSON. */
  readonly at: number | undefined;

  constructor(problem: string, at?: number) {
    super(problem);
    this.at = at;
  }
}
