import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import twilio from 'twilio';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { RecoverMessages } from '#core/messages/recovery/recover-messages.js';
import {
  queueNames,
  type DispatchPayload,
  type MessageToDispatch,
  type WebhookPayload,
} from '#core/platform/queue/queues.js';
import { eventually } from '#core/testing/eventually.js';
import { logLines, type LogLine } from '#core/testing/log-lines.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { testVariables } from '#core/testing/test-config.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { startTraceCollector, type CollectedSpan, type TraceCollector } from '#core/testing/trace-collector.js';
import { contextFields } from '#core/platform/telemetry/request-context.js';
import { DeliverWebhook } from '#core/webhooks/delivery/deliver-webhook.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { Receiver } from '#core/webhooks/testing/receiver.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PERSON = '+14155550142';
const TEXT = 'A text that no trace has';

let bed: TestBed;
let server: TestServer;
let worker: TestCore;
let account: TestAccount;
let receiver: Receiver;

/** A server and a worker's core. */
async function start(variables: Record<string, string> = {}): Promise<void> {
  [bed, receiver] = [await createTestBed(), await Receiver.start()];
  const config = bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true', LOG_LEVEL: 'debug', ...variables });
  [server, worker] = [await createTestServer(config), await createTestCore(config)];
  account = await createTestAccount(server, { credits: 10 });
  await worker.get(WebhookEndpoints).setUrl(account.id, `${receiver.url}/sms`);
}

async function stop(): Promise<void> {
  await Promise.all([server.close(), worker.close()]);
}

async function remove(): Promise<void> {
  await receiver.close();
  await bed.remove();
}

afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns the first job of a queue. */
async function jobOf<Job>(name: string): Promise<Job> {
  const queue = server.named<Queue<Job>>(getQueueToken(name));
  await eventually('a job is enqueued', async () => (await queue.getJobCountByTypes('waiting', 'prioritized')) > 0);
  const [job] = await queue.getJobs(['waiting', 'prioritized']);
  if (!job) throw new Error('The queue has no job');
  return job.data as Job;
}

async function dispatch(): Promise<MessageToDispatch> {
  const [message] = (await jobOf<DispatchPayload>(queueNames.dispatch)).messages;
  if (!message) throw new Error('The job has no message');
  await worker.get(DispatchMessage).dispatch(message.messageId, contextFields(message));
  return message;
}

function reply(requestId: string) {
  const url = '/webhooks/twilio/inbound';
  const form = { MessageSid: `SM${'d'.repeat(32)}`, From: PERSON, To: '+15005550006', Body: TEXT };
  const token = testVariables['TWILIO_AUTH_TOKEN'] ?? '';
  return server.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-request-id': requestId,
      'x-twilio-signature': twilio.getExpectedTwilioSignature(token, `https://pennytext.test${url}`, form),
    },
    payload: new URLSearchParams(form).toString(),
  });
}

async function deliver(): Promise<WebhookPayload> {
  const job = await jobOf<WebhookPayload>(queueNames.webhooks);
  await worker.get(DeliverWebhook).deliver(job.deliveryId, job.accountId, contextFields(job));
  return job;
}

const send = (headers: Record<string, string> = {}) =>
  server.send({ to: PERSON, message: TEXT, apikey: account.apiKey }, headers);

describe('request ids', () => {
  beforeAll(() => start());

  beforeEach(async () => {
    await bed.forgetQueue();
    worker.carrier.forget();
  });

  afterAll(async () => {
    await stop();
    await remove();
  });

  it.each(['order-4711', 'a.b_c:d', 'x'.repeat(64)])('keep the caller’s "%s"', async (id) => {
    expect((await send({ 'x-request-id': id })).headers['x-request-id']).toBe(id);
  });

  it.each(['', 'a b', 'x'.repeat(65), '<script>', 'ü'])('replace "%s"', async (id) => {
    const answer = await server.inject({ url: '/healthz', headers: { 'x-request-id': id } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  });

  it.each(['/healthz', '/nowhere', '/api/balance', '/%'])('are in the answer of %s', async (url) => {
    expect((await server.inject({ url, headers: { 'x-request-id': 'mine' } })).headers['x-request-id']).toBe('mine');
  });

  it('follow a message into the worker’s log lines, with its id', async () => {
    const lines = logLines(server, ['debug']);
    const theirs = logLines(worker, ['debug', 'info']);
    await send({ 'x-request-id': 'mine' });
    const { messageId, ...context } = await dispatch();
    expect(context).toEqual({ accountId: expect.any(String), requestId: 'mine' });
    const told = (list: LogLine[], text: string) => list.find((line) => line.text === text)?.data;
    expect(told(lines, 'message accepted')).toMatchObject({ requestId: 'mine', messageId });
    expect(told(theirs, 'message handed to the carrier')).toMatchObject({ requestId: 'mine', messageId });
  });

  it('follow Twilio’s request into the log lines of the webhook', async () => {
    await send();
    await dispatch();
    const lines = logLines(worker, ['debug', 'info']);
    expect((await reply('twilio-1')).statusCode).toBe(200);
    await deliver();
    const [inbound] = await bed.database.sql<{ id: string }>('SELECT id FROM inbound_messages');
    const line = lines.find(({ text }) => text === 'webhook delivered');
    expect(line?.data).toMatchObject({ requestId: 'twilio-1', messageId: inbound?.id, type: 'message.received' });
  });

  it('are lost with a lost job, but the message is not', async () => {
    await send({ 'x-request-id': 'mine' });
    await jobOf(queueNames.dispatch);
    await bed.forgetQueue();
    await worker.get(RecoverMessages).run();
    expect(await dispatch()).toEqual({ messageId: expect.any(String), accountId: expect.any(String) });
    expect(worker.carrier.calls).toHaveLength(1);
  });
});

describe('traces', () => {
  let collector: TraceCollector;

  beforeEach(async () => {
    collector = await startTraceCollector();
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
  });

  afterEach(async () => {
    await collector.close();
    await remove();
  });

  const span = (name: string): CollectedSpan => {
    const found = collector.spans.filter((one) => one.name === name);
    if (found.length !== 1 || !found[0]) throw new Error(`There are ${found.length} spans "${name}"`);
    return found[0];
  };

  /** Expects each span to be the child of the one before. */
  function expectChain(...names: string[]): void {
    const spans = names.map(span);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans.map(({ parentSpanId }) => parentSpanId || undefined)).toEqual([
      undefined,
      ...spans.slice(0, -1).map(({ spanId }) => spanId),
    ]);
  }

  it('connect the HTTP request through the queue to the carrier', async () => {
    await server.inject({ url: '/healthz' });
    await send({ 'x-request-id': 'mine', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
    const { messageId } = await dispatch();
    await stop();
    expectChain('POST /api/sendsms', 'enqueue', 'dispatch', 'carrier send');
    expectChain('POST /api/sendsms', 'acceptance');
    expect(collector.spans.map(({ name }) => name)).not.toContain('GET /healthz');
    expect(['POST /api/sendsms', 'enqueue', 'dispatch', 'carrier send'].map((name) => span(name).service)).toEqual([
      'pennytext-server',
      'pennytext-server',
      'pennytext-worker',
      'pennytext-worker',
    ]);
    expect(span('POST /api/sendsms').attributes).toMatchObject({
      'http.response.status_code': '200',
      'pennytext.request_id': 'mine',
    });
    expect(span('dispatch').attributes).toMatchObject({ 'pennytext.message_id': messageId });
    expect(span('carrier send').attributes).toMatchObject({ 'pennytext.outcome': 'accepted' });
    for (const secret of [TEXT, '4155550142', account.apiKey, 'a'.repeat(32)])
      expect(collector.texts.join()).not.toContain(secret);
  });

  it('connect a reply to the customer’s webhook', async () => {
    await send();
    await dispatch();
    await reply('twilio-1');
    await deliver();
    await stop();
    expectChain('POST /webhooks/twilio/inbound', 'receive reply', 'deliver webhook', 'webhook call');
  });

  it('start again with a message that recovery enqueued', async () => {
    await send();
    await jobOf(queueNames.dispatch);
    await bed.forgetQueue();
    await worker.get(RecoverMessages).run();
    await dispatch();
    await stop();
    const [accepted, dispatched] = [span('POST /api/sendsms'), span('dispatch')];
    expect(dispatched.traceId).not.toBe(accepted.traceId);
  });

  it('are dropped while the collector is unavailable, and messages are sent', async () => {
    await collector.close();
    expect((await send()).statusCode).toBe(200);
    await dispatch();
    await stop();
    expect(worker.carrier.calls).toHaveLength(1);
  });
});
