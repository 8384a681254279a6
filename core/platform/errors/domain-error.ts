import { errorCatalogue, type ErrorCode } from '#contract/errors.js';

interface DomainErrorOptions {
  cause?: unknown;
  /** Seconds until a retry makes sense, sent as Retry-After. */
  retryAfterSeconds?: number;
  /** Further public fields of the answer. */
  facts?: Readonly<Record<string, unknown>>;
  /** Changes of the request's fields with which it would succeed. */
  fix?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * An error of the catalogue. `detail` is public and explains what to do; `cause` is only logged.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly fix: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, detail: string, options: DomainErrorOptions = {}) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.facts = options.facts ?? {};
    this.fix = options.fix;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}
