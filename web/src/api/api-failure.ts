/**
 * Why a call failed. `connection`: the server could not be reached, or its answer was lost.
 * `session`: the session has ended. `too_many`: rate limited. `broken`: a server error. `refused`:
 * rejected with a reason.
 */
export type FailureKind = 'connection' | 'session' | 'too_many' | 'broken' | 'refused';

interface FailureDetails {
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A failed call; the message is shown to the user. `cause` is the server's whole answer, or the
 * error of `fetch`.
 */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  /** The code from contract/errors, if the server sent one. */
  readonly code: string | undefined;
  /** The server's explanation of what exactly was wrong. */
  readonly detail: string | undefined;
  /** Names the call in the server's logs. */
  readonly requestId: string | undefined;

  constructor(
    readonly kind: FailureKind,
    message: string,
    { code, detail, requestId, cause }: FailureDetails = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.detail = detail;
    this.requestId = requestId;
  }
}

const NOT_REACHED = 'Pennytext could not be reached. Check your connection and try again.';
const TOO_LATE = 'Pennytext took too long to answer. Please try again.';

/**
 * Turns any error of a call into a failure; an error that the server did not send counts as a
 * connection failure.
 */
export function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  return new ApiFailure('connection', isLate ? TOO_LATE : NOT_REACHED, { cause: error });
}

/**
 * Places failures beside the fields of a form, by their codes; other failures beside `rest`, if
 * given.
 */
export function placedBy<Name extends string>(places: Readonly<Record<string, Name>>, rest?: Name) {
  return (error: unknown) => {
    const { code, message } = failureOf(error);
    const name = places[code ?? ''] ?? rest;
    const faults: { [Field in Name]?: string } = {};
    if (name !== undefined) faults[name] = message;
    return faults;
  };
}
