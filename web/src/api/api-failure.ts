/**
 * Why a call gave no answer. `connection`: the server was not reached, or its answer was lost. `session`: nobody is signed in any
 * more. `too_many`: to be tried again later. `broken`: a fault of the server's. `refused`: a "no" with its reason.
 */
export type FailureKind = 'connection' | 'session' | 'too_many' | 'broken' | 'refused';

/** A call that did not go well; the message is for people. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  /** The code of contract/errors, when the server gave one. */
  readonly code: string | undefined;
  /** The server's sentence on what exactly was wrong. */
  readonly detail: string | undefined;

  constructor(
    readonly kind: FailureKind,
    message: string,
    { code, detail, cause }: { code?: string | undefined; detail?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.detail = detail;
  }
}

/** Whatever went wrong on the way to an answer, for people: what is not the server's "no" is the connection's. */
export function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  return new ApiFailure('connection', 'Pennytext could not be reached. Check your connection and try again.', {
    cause: error,
  });
}
