type StripeErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

interface ErrorFields {
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  /** The PaymentIntent of a card error. */
  readonly payment_intent?: object;
}

/** An error answer of Stripe's API. */
export class StripeError extends Error {
  constructor(
    readonly statusCode: number,
    readonly type: StripeErrorType,
    message: string,
    readonly fields: ErrorFields = {},
  ) {
    super(message);
  }

  get body(): { error: Record<string, unknown> } {
    return { error: { ...this.fields, message: this.message, type: this.type } };
  }
}

export function invalidRequest(message: string, fields: ErrorFields = {}, status = 400): StripeError {
  return new StripeError(status, 'invalid_request_error', message, fields);
}

/**
 * The error for an unknown id, in the path or in a parameter; `noun` is the object type, such as
 * `checkout.session`.
 */
export function resourceMissing(noun: string, id: string, param?: string): StripeError {
  const fields = { code: 'resource_missing', param: param ?? 'id' };
  return invalidRequest(`No such ${noun}: '${id}'`, fields, param === undefined ? 404 : 400);
}
