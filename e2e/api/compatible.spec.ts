import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import twilio from 'twilio';
import type { RequestOptions } from 'twilio/lib/base/RequestClient.js';
import { accountSidOf } from '#contract/account.js';
import { test } from '../testing/product.js';
import { Visitor } from '../testing/visitor.js';
import { until } from '../../tools/testkit/until.js';

const PHONE = '4155552671';
const WITHIN = { timeoutMs: 60_000 };

/** The SDK's own HTTP client, with another host. */
class OtherHost extends twilio.RequestClient {
  constructor(private readonly url: string) {
    super();
  }

  override request<T>(options: RequestOptions<T>) {
    return super.request({ ...options, uri: options.uri.replace('https://api.twilio.com', this.url) });
  }
}

test('Twilio’s SDK sends, fetches, lists and cancels with another host, and reads errors', async ({ product }) => {
  const visitor = await Visitor.to(product);
  await visitor.signIn({ email: `twilio-${randomUUID()}@example.com`, name: 'Twilio' });
  const [account, apiKey] = [await visitor.account(), await visitor.apiKey()];
  await visitor.leave();
  const { messages } = twilio(accountSidOf(account?.id ?? ''), apiKey, { httpClient: new OtherHost(product.url) });

  const sent = await messages.create({ to: PHONE, from: '+15005550006', body: 'Hello from the SDK' });
  const state = async () => (await messages(sent.sid).fetch()).status;
  await until('the message is delivered', async () => (await state()) === 'delivered', WITHIN);
  const later = new Date(Date.now() + 3_600_000);
  const scheduled = await messages.create({
    to: PHONE,
    messagingServiceSid: `MG${'0'.repeat(32)}`,
    body: 'Later',
    sendAt: later,
    scheduleType: 'fixed',
  });
  expect((await messages(scheduled.sid).update({ status: 'canceled' })).status).toBe('canceled');
  expect((await messages.list({ pageSize: 1 })).map(({ body }) => body)).toEqual(['Later', 'Hello from the SDK']);
  const refused = await messages.create({ to: '+1', from: '+15005550006', body: 'x' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 400, code: 21_211 });
});

test('a program for Textbelt sends a text and follows it with another host', async ({ product }) => {
  const { apiKey } = await product.account(2);
  const call = async (path: string, form?: Record<string, string>) => {
    const body = form && new URLSearchParams({ ...form, key: apiKey });
    const answer = await fetch(`${product.url}${path}`, form ? { method: 'POST', body: body ?? null } : {});
    return (await answer.json()) as { success: boolean; textId: string; status: string; quotaRemaining: number };
  };
  const sent = await call('/text', { phone: PHONE, message: 'Hello' });
  expect(sent).toMatchObject({ success: true, quotaRemaining: 1 });
  await until('it is delivered', async () => (await call(`/status/${sent.textId}`)).status === 'DELIVERED', WITHIN);
  expect(await call(`/quota/${apiKey}`)).toEqual({ success: true, quotaRemaining: 1 });
  expect(await call('/text', { phone: PHONE, message: '' })).toEqual({ success: false, error: 'Incomplete request' });
});

test('a stream of events shows a message that the worker has delivered', async ({ product }) => {
  const { apiKey } = await product.account(10);
  const stopping = new AbortController();
  const answer = await fetch(`${product.url}/api/events`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: stopping.signal,
  });
  let text = '';
  const reading = (async () => {
    if (!answer.body) return;
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) text += chunk;
  })().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  await until('the stream is ready', async () => text.includes(': ready'), WITHIN);
  await product.api.send({ to: `+1${PHONE}`, message: 'Streamed', apikey: apiKey });
  await until('both events', async () => /event: message\.sent[^]*event: message\.delivered/.test(text), WITHIN);
  stopping.abort();
  await reading;
});
