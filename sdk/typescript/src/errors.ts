import type { ApiErrorCode, BulkFailure, Failure } from './error-types.js';

/**
 * Reasons that the client itself finds: nothing that listens, no answer, no answer in time, an answer that is not the
 * API's, a webhook that is not genuine, and events that are no longer kept.
 */
export type ClientErrorCode =
  | 'unreachable'
  | 'connection_failed'
  | 'timed_out'
  | 'invalid_answer'
  | 'invalid_webhook'
  | 'events_lost';

/** Reason of a failure. The API can have codes that this version of the package does not know. */
export type ErrorCode = ApiErrorCode | ClientErrorCode | (string & {});

interface Details {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly body?: Failure | BulkFailure | undefined;
  readonly outcomeUnknown?: boolean | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly cause?: unknown;
}

/** Thrown by every call that fails. Programs rely on `code`, people read `detail`. */
export class PennytextError extends Error {
  override readonly name = 'PennytextError';
  readonly code: ErrorCode;
  readonly detail: string;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** The answer's X-Request-Id: support can find the request by it. */
  readonly requestId: string | undefined;
  /** Seconds until the call can be repeated, if the API knows. */
  readonly retryAfterSeconds: number | undefined;
  /** The API's answer, with `rejected` of a bulk or `guard` of a one-time password. */
  readonly body: Failure | BulkFailure | undefined;
  /** The only call that would do what the failed call was meant to, if there is exactly one. */
  readonly fix: Failure['fix'];
  /** Whether a call that sends, buys, uploads or verifies may have taken effect although it failed. */
  readonly outcomeUnknown: boolean;
  /** Set if the outcome is unknown: make the call again with this key, and nothing is done twice. */
  readonly idempotencyKey: string | undefined;

  constructor(code: ErrorCode, detail: string, details: Details = {}) {
    const { outcomeUnknown = false, idempotencyKey, cause } = details;
    const advice = idempotencyKey === undefined ? '.' : `: ask again with the idempotencyKey ${idempotencyKey}.`;
    const doubt = outcomeUnknown ? ` The outcome is unknown${advice}` : '';
    super(`${code}: ${detail}${doubt}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.detail = detail;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.body = details.body;
    this.fix = fixIn(details.body);
    this.outcomeUnknown = outcomeUnknown;
    this.idempotencyKey = idempotencyKey;
  }

  /** Whether the error has this code. */
  is(code: ErrorCode): boolean {
    return this.code === code;
  }

  /** @internal */
  withUnknownOutcome(idempotencyKey: string | undefined): PennytextError {
    return new PennytextError(this.code, this.detail, {
      ...this,
      outcomeUnknown: true,
      idempotencyKey,
      cause: this.cause,
    });
  }
}

function fixIn(body: Failure | BulkFailure | undefined): Failure['fix'] {
  const fix: unknown = body?.fix;
  return typeof fix === 'object' && fix !== null ? body?.fix : undefined;
}
