import type { ApiErrorCode, BulkFailure, Failure } from './error-types.js';

/**
 * Reasons that the client itself finds: no answer, no answer in time, an answer that is not the
 * API's, a webhook that is not genuine, and events that are no longer kept.
 */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'invalid_answer' | 'invalid_webhook' | 'events_lost';

/** Reason of a failure. The API can have codes that this version of the package does not know. */
export type ErrorCode = ApiErrorCode | ClientErrorCode | (string & {});

interface Details {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly body?: Failure | BulkFailure | undefined;
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

  constructor(code: ErrorCode, detail: string, { status, requestId, retryAfterSeconds, body, cause }: Details = {}) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.detail = detail;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
    this.fix = body?.fix;
  }
}
