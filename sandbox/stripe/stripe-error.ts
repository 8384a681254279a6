type StripeErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

interface ErrorFields {
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly charge?: string;
}

const DOCUMENTED = new Set(['resource_missing', 'parameter_missing', 'parameter_unknown', 'card_declined']);

/** An error answer of Stripe's API. */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly type: StripeErrorType,
    message: string,
    readonly fields: ErrorFields = {},
  ) {
    super(message);
  }

  /** Fastify's name of the status, for routes outside the API. */
  get statusCode(): number {
    return this.status;
  }

  /** The JSON body. */
  get body(): { error: Record<string, string> } {
    const { code } = this.fields;
    const isDocumented = code !== undefined && (DOCUMENTED.has(code) || code.startsWith('parameter_'));
    return {
      error: {
        ...this.fields,
        ...(isDocumented ? { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` } : {}),
        message: this.message,
        type: this.type,
      },
    };
  }
}

export function invalidRequest(message: string, fields: ErrorFields = {}): StripeError {
  return new StripeError(400, 'invalid_request_error', message, fields);
}

/** The error for an unknown id; `noun` is the object type, such as `checkout.session`. */
export function resourceMissing(noun: string, id: string, param = 'id', status = 404): StripeError {
  return new StripeError(status, 'invalid_request_error', `No such ${noun}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}
