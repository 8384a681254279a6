import { failureAnswer } from '#contract/messages.js';
import { ApiFailure, type FailureKind } from './api-failure.js';

const ANSWER_WITHIN_MS = 20_000;
const WENT_WRONG = 'Something went wrong. Please try again.';

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** How this call says no, where that is not the failure of all calls. */
  readonly refusal?: Shape<{ readonly message: string }>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends it early; it then fails as if the connection had. */
  readonly signal?: AbortSignal;
}

/** A zod shape of the contract. */
interface Shape<Answer> {
  parse(json: unknown): Answer;
  safeParse(json: unknown): { readonly data?: Answer | undefined };
}

/** Calls the server as our own page and answers what the contract promises. Throws {@link ApiFailure}, or what `fetch` throws. */
export async function call<Answer>(
  shape: Shape<Answer>,
  { method, path, body, headers, signal, refusal }: Call,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const response = await fetch(path, {
    method,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  if (!response.ok) throw await failureIn(response, refusal);
  try {
    return shape.parse(response.status === 204 ? undefined : await response.json());
  } catch (cause) {
    throw new ApiFailure('broken', WENT_WRONG, { cause });
  }
}

async function failureIn(response: Response, refusal: Call['refusal']): Promise<ApiFailure> {
  const { status } = response;
  const json: unknown = await response.json().catch(() => undefined);
  const { data } = failureAnswer.safeParse(json);
  const message = data?.error ?? refusal?.safeParse(json).data?.message ?? WENT_WRONG;
  const retryAfterSeconds = Number(response.headers.get('Retry-After'));
  const text = status === 429 ? withWait(message, retryAfterSeconds) : message;
  return new ApiFailure(kindOf(status, data?.code), text, { code: data?.code, detail: data?.detail });
}

function kindOf(status: number, code: string | undefined): FailureKind {
  // Calls with a key are refused for the key, whoever is signed in.
  if (status === 401) return code === 'unknown_api_key' ? 'refused' : 'session';
  if (status === 429) return 'too_many';
  return status >= 500 ? 'broken' : 'refused';
}

function withWait(message: string, seconds: number): string {
  if (!(seconds > 0)) return message;
  const [count, unit] = seconds < 90 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${message} You can try again in ${count} ${unit}${count === 1 ? '' : 's'}.`;
}
