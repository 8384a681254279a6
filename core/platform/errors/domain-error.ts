import { errorCatalogue, type ErrorCode } from '#contract/errors.js';

interface DomainErrorOptions {
  cause?: unknown;
  /** Seconds after which asking again makes sense: becomes Retry-After. */
  retryAfterSeconds?: number;
}

/** A "no" of the catalogue. `detail` is public and says what to do; `cause` goes to the log alone. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: string, options: DomainErrorOptions = {}) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}
