/** An error answer of Telnyx's API. */
export class TelnyxError extends Error {
  constructor(
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    readonly status = 400,
    /** JSON pointer to the field of the request. */
    readonly pointer?: string,
  ) {
    super(detail);
  }

  get body() {
    const { code, title, detail, pointer } = this;
    return { errors: [{ code, title, detail, ...(pointer === undefined ? {} : { source: { pointer } }) }] };
  }
}

/** The error of a message that is not delivered, in its receipt, resource and detail record. */
export const UNDELIVERED_CODE = 40008;
export const UNDELIVERED_TEXT = 'Undeliverable';
/** The error of a message that is taken for spam. */
export const FILTERED_CODE = 40002;

/** Telnyx's text for the error of a message. */
export function errorTextOf(code: number): string {
  return code === FILTERED_CODE ? 'Blocked as spam - temporary' : UNDELIVERED_TEXT;
}

export function unauthenticated(): TelnyxError {
  return new TelnyxError('10009', 'Authentication failed', 'The required authentication headers are invalid.', 401);
}

export function notFound(): TelnyxError {
  return new TelnyxError('10005', 'Resource not found', 'The requested resource or URL could not be found.', 404);
}

export function badRequest(detail: string): TelnyxError {
  return new TelnyxError('10015', 'Bad Request', detail);
}

export function forbiddenRegion(): TelnyxError {
  const detail = 'The destination region is not enabled on the messaging profile.';
  return new TelnyxError('40309', 'Invalid destination region', detail, 400, '/to');
}
