import { type ReaderKeyAnswer, readerKeyAnswer } from '#contract/account.js';
import { call } from './call.js';

/** Reads the test key of the signed-in user. */
export function readReaderKey(): Promise<ReaderKeyAnswer> {
  return call(readerKeyAnswer, { method: 'GET', path: '/api/dashboard/reader-key' });
}

/** A request from a documentation sample. */
export interface SampleRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The server's actual answer. */
export interface SampleAnswer {
  readonly status: number;
  readonly body: string;
}

const ANSWER_WITHIN_MS = 20_000;

/** Sends the request as a customer's program would. */
export async function trySample({ path, headers, body }: SampleRequest): Promise<SampleAnswer> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const answer = await fetch(path, { method: 'POST', headers, body, signal });
  return { status: answer.status, body: readable(await answer.text()) };
}

/** Indents JSON; leaves other text unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
