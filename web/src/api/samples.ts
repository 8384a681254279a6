import { readerKeyAnswer, type ReaderKeyAnswer } from '#contract/account.js';
import { call } from './call.js';

/** The test key of whoever is signed in. */
export function readReaderKey(): Promise<ReaderKeyAnswer> {
  return call(readerKeyAnswer, { method: 'GET', path: '/api/dashboard/reader-key' });
}

/** A request of the documentation, as its sample makes it. */
export interface SampleRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the server really answered, whatever it was. */
export interface SampleAnswer {
  readonly status: number;
  readonly body: string;
}

const ANSWER_WITHIN_MS = 20_000;

/** Makes the request, as a program of the reader's would. */
export async function trySample({ path, headers, body }: SampleRequest): Promise<SampleAnswer> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const answer = await fetch(path, { method: 'POST', headers, body, signal });
  return { status: answer.status, body: readable(await answer.text()) };
}

/** JSON with its lines, anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
