import { randomUUID } from 'node:crypto';
import type { BalanceAnswer } from '#contract/credits.js';
import type { OtpStepBody } from '#contract/otp-channels.js';
import type { FailureAnswer, MessageAnswer, MessagesAnswer, MessageView, SendSmsAnswer } from '#contract/messages.js';

export interface SendRequest {
  readonly to: string;
  readonly message: string;
  readonly apikey: string;
  readonly reference?: string;
  readonly idempotencyKey?: string;
}

/**
 * Outcome of a send for its caller. `unanswered`: the connection broke, so the message may have
 * been taken or not.
 */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly answer: SendSmsAnswer }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** Seconds, as the answer's header says. */
      readonly retryAfter: string | null;
      readonly answer: FailureAnswer;
    }
  | { readonly kind: 'unanswered'; readonly reason: string };

const ANSWER_WITHIN_MS = 30_000;

/** The public API of one or more servers, taken in turn as a balancer would. */
export class Api {
  private turn = 0;

  constructor(private readonly serverUrls: readonly string[]) {}

  async send({ idempotencyKey, ...request }: SendRequest): Promise<SendOutcome> {
    const first = this.turn++;
    let reason = '';
    for (let tried = 0; tried < this.serverUrls.length; tried++) {
      try {
        const answer = await fetch(`${this.serverUrls[(first + tried) % this.serverUrls.length]}/api/sendsms`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          },
          body: JSON.stringify(request),
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        });
        const body = (await answer.json()) as SendSmsAnswer | FailureAnswer;
        return body.success === 'true'
          ? { kind: 'accepted', answer: body }
          : {
              kind: 'refused',
              status: answer.status,
              retryAfter: answer.headers.get('retry-after'),
              answer: body,
            };
      } catch (error) {
        reason = reasonOf(error);
        // Only a request that never left may go to another server.
        if (reason !== 'ECONNREFUSED') break;
      }
    }
    return { kind: 'unanswered', reason };
  }

  /** Sends a one-time password, and answers what a server did. One that is too busy to answer is asked once more. */
  async sendOtp(body: {
    to: string;
    apikey: string;
    org?: string;
    hedge_seconds?: number;
    channels?: readonly OtpStepBody[];
  }): Promise<SendSmsAnswer | FailureAnswer> {
    const once = { 'idempotency-key': randomUUID() };
    const send = () => this.post('/api/sendotp', body, once);
    const answer = await send().catch((error: unknown) => {
      if (error instanceof Error && error.name === 'TimeoutError') return send();
      throw error;
    });
    return answer.json() as Promise<SendSmsAnswer | FailureAnswer>;
  }

  /** The plain text that tells whether the code counts. */
  async verifyOtp(body: { otp: string; apikey: string; to?: string }): Promise<string> {
    return (await this.post('/api/verifyotp', body)).text();
  }

  balance(apikey: string): Promise<BalanceAnswer> {
    return this.get<BalanceAnswer>('/api/balance', apikey);
  }

  message(apikey: string, messageId: string): Promise<MessageAnswer> {
    return this.get<MessageAnswer>(`/api/messages/${messageId}`, apikey);
  }

  /**
   * Messages of the account, newest first: all, or those up to the end of the first page for which
   * `isEnough` holds.
   */
  async messages(apikey: string, isEnough?: (page: readonly MessageView[]) => boolean): Promise<MessageView[]> {
    const messages: MessageView[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const page: MessagesAnswer = await this.get<MessagesAnswer>(`/api/messages${query}`, apikey);
      messages.push(...page.messages);
      if (isEnough?.(page.messages)) break;
      cursor = page.next_cursor;
    }
    return messages;
  }

  private post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${this.serverUrls[this.turn++ % this.serverUrls.length]}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
  }

  private async get<T>(path: string, apikey: string): Promise<T> {
    const answer = await fetch(`${this.serverUrls[this.turn++ % this.serverUrls.length]}${path}`, {
      headers: { authorization: `Bearer ${apikey}` },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}

// fetch says only "fetch failed"; what happened to the connection is its cause.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof AggregateError ? error.cause.errors[0] : error.cause;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.message;
}
