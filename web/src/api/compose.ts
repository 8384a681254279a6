import { quoteAnswer, type QuoteAnswer, type QuoteBody } from '#contract/dashboard.js';
import { sendSmsAnswer, type SendSmsAnswer } from '#contract/messages.js';
import { call } from './call.js';

/** What a message would be and cost. */
export function readQuote(body: QuoteBody, signal: AbortSignal): Promise<QuoteAnswer> {
  return call(quoteAnswer, { method: 'POST', path: '/api/dashboard/quote', body, signal });
}

interface Sending extends QuoteBody {
  readonly apikey: string;
  /** The same for every try of one message, so that it is sent once. */
  readonly idempotencyKey: string;
}

/** Sends a message by the public API. */
export function sendSms({ idempotencyKey, ...body }: Sending): Promise<SendSmsAnswer> {
  return call(sendSmsAnswer, {
    method: 'POST',
    path: '/api/sendsms',
    body,
    headers: { 'Idempotency-Key': idempotencyKey },
  });
}
