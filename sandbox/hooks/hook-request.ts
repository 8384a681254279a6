/** How one request to a hook was answered; `status` is null while it waits, and for good when the answer is to hang. */
export interface HookAnswered {
  readonly status: number | null;
  readonly tookMs: number | null;
}

/** A request that came in at a hook. `body` holds its first bytes, `bytes` says how many there were. */
export interface HookRequest {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly bytes: number;
  readonly at: string;
  /** 1 for the first request of its webhook-id at this hook, 2 for its repeat, and so on. */
  readonly attempt: number;
  readonly answered: HookAnswered;
}

/** A request as a line of the list. */
export interface HookLine {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  readonly at: string;
  readonly attempt: number;
  readonly preview: string;
  readonly answered: HookAnswered;
}

/** A request whole, as pages and tests read it. */
export interface HookView extends Omit<HookLine, 'preview'> {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As UTF-8. */
  readonly body: string;
  readonly bytes: number;
  readonly isCut: boolean;
  /** Standard Webhooks' three headers, null where one is missing. */
  readonly webhook: {
    readonly id: string | null;
    readonly timestamp: string | null;
    readonly signature: string | null;
  };
}

const PREVIEW_CHARACTERS_MAX = 120;

export function lineOf({ id, name, method, at, attempt, body, answered }: HookRequest): HookLine {
  const start = body
    .subarray(0, PREVIEW_CHARACTERS_MAX * 4)
    .toString('utf8')
    .replace(/\s+/g, ' ')
    .trim();
  return { id, name, method, at, attempt, answered, preview: start.slice(0, PREVIEW_CHARACTERS_MAX) };
}

export function viewOf(request: HookRequest): HookView {
  const { id, name, method, path, headers, body, bytes, at, attempt, answered } = request;
  const header = (part: string) => headers[`webhook-${part}`] ?? null;
  return {
    id,
    name,
    method,
    path,
    headers,
    body: body.toString('utf8'),
    bytes,
    isCut: bytes > body.length,
    at,
    attempt,
    answered,
    webhook: { id: header('id'), timestamp: header('timestamp'), signature: header('signature') },
  };
}
