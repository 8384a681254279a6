const ANSWER_WITHIN_MS = 10_000;

/** Requests JSON: a GET, or with a body a POST of JSON. Throws when the answer is not 2xx. */
export async function ask<T>(url: string, body?: object, timeoutMs = ANSWER_WITHIN_MS): Promise<T> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
