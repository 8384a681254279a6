import { z } from 'zod';
import {
  readerBalanceAnswer,
  type ReaderBalanceAnswer,
  type ReaderKeyAnswer,
  readerKeyAnswer,
  sessionAnswer,
  type SessionAnswer,
} from '#contract/account.js';
import type { SignUpFields } from '#contract/sign-up.js';
import { call } from './call.js';

/** Creates an account and signs in. */
export function signUp(body: SignUpFields): Promise<SessionAnswer> {
  return call(sessionAnswer, { method: 'POST', path: '/auth/signup', body });
}

/** Signs in with an email address and password. */
export function logIn(body: { email: string; password: string }): Promise<SessionAnswer> {
  return call(sessionAnswer, { method: 'POST', path: '/auth/login', body });
}

/** Asks for a link to set a new password. Succeeds whether or not the address has an account. */
export function forgotPassword(body: { email: string }): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/forgot-password', body });
}

/** Sets a new password by the token of the emailed link. */
export function resetPassword(body: { token: string; password: string }): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/reset-password', body });
}

/** Reads the test key of the signed-in user. */
export function readReaderKey(): Promise<ReaderKeyAnswer> {
  return call(readerKeyAnswer, { method: 'GET', path: '/api/dashboard/reader-key' });
}

/** Reads the balance of the signed-in user. */
export function readReaderBalance(): Promise<ReaderBalanceAnswer> {
  return call(readerBalanceAnswer, { method: 'GET', path: '/api/dashboard/reader-balance' });
}

/** A request from a documentation sample. */
export interface SampleRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Text with the kinds of its parts, as in highlighted code. */
type Highlighted = readonly (readonly [text: string, kind?: 'keyword' | 'string' | 'number'])[];

/** The server's actual answer. */
export interface SampleAnswer {
  readonly status: number;
  readonly code: Highlighted;
}

const ANSWER_WITHIN_MS = 20_000;

/** Sends the request as a customer's program would. */
export async function trySample({ path, ...request }: SampleRequest): Promise<SampleAnswer> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const answer = await fetch(path, { ...request, signal });
  return { status: answer.status, code: await shownAnswer(answer) };
}

const TEXT_TYPES = /^(text\/|application\/(\S+\+)?(json|xml)\b)/;

/** The text of an answer as a page shows it; for a file, its size and type. */
export async function shownAnswer(answer: Response): Promise<Highlighted> {
  const type = answer.headers.get('content-type') ?? 'text/plain';
  if (TEXT_TYPES.test(type)) return highlightAnswer(await answer.text());
  const { size } = await answer.blob();
  return [[`A file of ${size.toLocaleString('en-US')} bytes, ${type}`]];
}

const JSON_TOKENS = /("(?:[^"\\]|\\.)*")(?=:)|("(?:[^"\\]|\\.)*")|(-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b)/;

/** Indents and highlights JSON as the built pages do; leaves other text unchanged. */
export function highlightAnswer(body: string): Highlighted {
  let text: string;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return [[body]];
  }
  // Each match splits off three groups, one of them defined: names, strings, other values.
  const kinds = [undefined, 'keyword', 'string', 'number'] as const;
  return text.split(JSON_TOKENS).flatMap((part: string | undefined, place): Highlighted => {
    const kind = kinds[place % 4];
    return part ? [kind ? [part, kind] : [part]] : [];
  });
}
