import { failureAnswer } from '#contract/messages.js';
import { ApiFailure, type FailureKind } from './api-failure.js';

const ANSWER_WITHIN_MS = 20_000;
const WENT_WRONG = 'Something went wrong. Please try again.';

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Body, sent as JSON, or as a form with files. */
  readonly body?: object | FormData;
  /** Shape of this call's rejections, if it differs from the common shape. */
  readonly refusal?: Shape<{ readonly message: string }>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit; a later answer fails the call like a lost connection. */
  readonly withinMs?: number;
  /** Aborts the call, which then fails like a lost connection. */
  readonly signal?: AbortSignal;
}

/** A zod schema from contract. */
interface Shape<Answer> {
  parse(json: unknown): Answer;
  safeParse(json: unknown): { readonly data?: Answer | undefined };
}

/** Calls the server and parses its answer. Throws {@link ApiFailure} and errors of `fetch`. */
export async function call<Answer>(
  shape: Shape<Answer>,
  { method, path, body, headers, signal, refusal, withinMs = ANSWER_WITHIN_MS }: Call,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(withinMs);
  // The browser names the type of a form itself, with its boundary.
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    headers: { ...(body && !isForm && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  if (!response.ok) throw await failureIn(response, refusal);
  try {
    return shape.parse(response.status === 204 ? undefined : await response.json());
  } catch (cause) {
    throw new ApiFailure('broken', WENT_WRONG, { requestId: requestIdOf(response), cause });
  }
}

/**
 * Downloads a file. Throws {@link ApiFailure} and errors of `fetch`. There is no time limit: a file
 * can be large.
 */
export async function download(path: string): Promise<Blob> {
  const response = await fetch(path);
  if (!response.ok) throw await failureIn(response, undefined);
  return response.blob();
}

/** The query string of all fields that have a value. */
export function searchOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

async function failureIn(response: Response, refusal: Call['refusal']): Promise<ApiFailure> {
  const { status } = response;
  const json: unknown = await response.json().catch(() => undefined);
  const { data } = failureAnswer.safeParse(json);
  const message = data?.error ?? refusal?.safeParse(json).data?.message ?? WENT_WRONG;
  const retryAfterSeconds = Number(response.headers.get('Retry-After'));
  const text = status === 429 ? withWait(message, retryAfterSeconds) : message;
  const { code, detail } = data ?? {};
  return new ApiFailure(kindOf(status, code), text, { code, detail, requestId: requestIdOf(response), cause: json });
}

const requestIdOf = ({ headers }: Response) => headers.get('X-Request-Id') ?? undefined;

function kindOf(status: number, code: string | undefined): FailureKind {
  // A call with an API key can be rejected for the key while the session is fine.
  if (status === 401) return code === 'unknown_api_key' || code === 'key_expired' ? 'refused' : 'session';
  if (status === 429) return 'too_many';
  return status >= 500 ? 'broken' : 'refused';
}

function withWait(message: string, seconds: number): string {
  if (!(seconds > 0)) return message;
  const [count, unit] = seconds < 90 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${message} You can try again in ${count} ${unit}${count === 1 ? '' : 's'}.`;
}
