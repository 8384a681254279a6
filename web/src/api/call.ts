import { failureAnswer } from '#contract/failure.js';
import { ApiFailure, type FailureKind } from './api-failure.js';

const ANSWER_WITHIN_MS = 20_000;
const WENT_WRONG = 'Something went wrong. Please try again.';

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** A zod shape of the contract. */
interface Shape<Answer> {
  parse(json: unknown): Answer;
}

/** Calls the server as our own page and answers what the contract promises. Throws {@link ApiFailure}, or what `fetch` throws. */
export async function call<Answer>(shape: Shape<Answer>, { method, path, body }: Call): Promise<Answer> {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  if (!response.ok) throw await failureIn(response);
  try {
    return shape.parse(response.status === 204 ? undefined : await response.json());
  } catch (cause) {
    throw new ApiFailure('broken', WENT_WRONG, { cause });
  }
}

async function failureIn(response: Response): Promise<ApiFailure> {
  const { status } = response;
  const { data } = failureAnswer.safeParse(await response.json().catch(() => undefined));
  const message = data?.error ?? WENT_WRONG;
  const retryAfterSeconds = Number(response.headers.get('Retry-After'));
  const text = status === 429 ? withWait(message, retryAfterSeconds) : message;
  return new ApiFailure(kindOf(status), text, { code: data?.code });
}

function kindOf(status: number): FailureKind {
  if (status === 401) return 'session';
  if (status === 429) return 'too_many';
  return status >= 500 ? 'broken' : 'refused';
}

function withWait(message: string, seconds: number): string {
  if (!(seconds > 0)) return message;
  const [count, unit] = seconds < 90 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${message} You can try again in ${count} ${unit}${count === 1 ? '' : 's'}.`;
}
