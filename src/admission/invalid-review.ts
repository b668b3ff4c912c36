// Raised when a body is no v1 AdmissionReview that podrail can answer: then there is no request to allow or deny, the
// caller gets HTTP 400, and the webhook's failurePolicy decides.

export class InvalidReview extends Error {
  override readonly name = 'InvalidReview';
}
