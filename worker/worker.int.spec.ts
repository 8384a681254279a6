import { getQueueToken } from '@nestjs/bullmq';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Credits } from '#core/credits/credits.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { ReceiveReplies } from '#core/inbound/receive-replies.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { Acceptance } from '#core/messages/send/acceptance.js';
import { publicMessageId } from '#core/rules/ids.js';
import { DispatchQueue, queueNames } from '#core/platform/queue/queues.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';
import { acceptanceRow } from '#core/testing/acceptance-rows.js';
import { WelcomeMails } from '#core/accounts/sign-in/welcome-mails.js';
import { eventually } from '#core/testing/eventually.js';
import { logLines } from '#core/testing/log-lines.js';
import { json, startLocalServer, type LocalServer } from '#core/testing/local-server.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { texted } from '#core/testing/texted.js';
import { startSandbox } from '../sandbox/sandbox.js';
import { WorkerModule } from './worker.module.js';
import { adjustCredits } from '#core/testing/operator-credits.js';

describe('Worker', () => {
  let bed: TestBed;
  let core: TestCore;
  let carrier: LocalServer;
  /** The carrier's response to a send request. It has no inbound messages. */
  let answerSend: LocalServer['answer'];
  let worker: INestApplicationContext | undefined;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    carrier = await startLocalServer();
    let sids = 0;
    carrier.answer = (response, request) =>
      request.method === 'GET'
        ? json(200, { messages: [], next_page_uri: null })(response, request)
        : answerSend(response, request);
    answerSend = (response, request) => {
      sids += 1;
      json(201, { sid: `SM${String(sids).padStart(32, '0')}`, status: 'queued' })(response, request);
    };
    account = await createTestAccount(core, { credits: 1_000, dailyLimit: 10_000 });
  });

  afterEach(async () => {
    await worker?.close();
    worker = undefined;
    await carrier.close();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  async function start(changes: Record<string, string> = {}): Promise<void> {
    const config = bed.config({
      TWILIO_API_URL: carrier.url,
      RECOVERY_INTERVAL_MS: '200',
      ...changes,
    });
    const logger = Logger.silent();
    worker = await NestFactory.createApplicationContext(WorkerModule.of(config, logger), { logger: false });
  }

  /** Accepts messages as the server does. */
  async function accept(count: number, of = account): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, n) => acceptanceRow(core, of.apiKey, { body: `Hello ${n}` }));
    await Promise.all(rows.map((row) => core.get(Acceptance).decide(row)));
    await Promise.all(rows.map(({ id }) => core.get(DispatchQueue).enqueued({ id, accountId: of.id, kind: 'sms' })));
    return rows.map(({ id }) => id);
  }

  const countIn = async (status: string) =>
    (await bed.database.sql('SELECT 1 FROM messages WHERE account_id = $1 AND status = $2', [account.id, status]))
      .length;
  const sends = () => carrier.requests.filter(({ method }) => method === 'POST');
  const sentIds = () =>
    sends().map(({ form }) => new URL(form.StatusCallback ?? '').searchParams.get('message_id') ?? '');

  it('dispatches every enqueued message once', async () => {
    await start();
    const ids = await accept(100);
    await eventually('all are sent', async () => (await countIn('sent')) === 100, 20_000);
    expect(sentIds().sort()).toEqual(ids.map(publicMessageId).sort());
  });

  it('erases an account in every feature after its days of grace', async () => {
    const { id } = await createTestAccount(core);
    await bed.database.sql(
      `WITH session AS (
         INSERT INTO checkout_sessions (session_id, account_id, pack, credits, amount_cents)
         VALUES ('cs_' || $1::uuid, $1::uuid, 'starter', 50, 300) RETURNING session_id
       )
       INSERT INTO payments (account_id, session_id, amount_cents, credits, method, receipt_url)
       SELECT $1::uuid, session_id, 300, 50, 'Stripe Payment', 'https://receipts.example.com' FROM session`,
      [id],
    );
    await bed.database.sql(`UPDATE accounts SET delete_at = now() WHERE id = $1`, [id]);
    await start();
    const isErased = async () =>
      (await bed.database.sql(`SELECT 1 FROM accounts WHERE id = $1 AND email LIKE 'deleted-%'`, [id])).length === 1;
    await eventually('the account is erased', isErased);
    const receipts = 'SELECT receipt_url FROM payments WHERE account_id = $1';
    expect(await bed.database.sql(receipts, [id])).toEqual([{ receipt_url: null }]);
  });

  it('sends a message again after the carrier returned 429', async () => {
    const accepting = answerSend;
    answerSend = (response, request) => {
      if (sends().length === 1) json(429, { code: 20_429, message: 'Too many', status: 429 })(response, request);
      else accepting(response, request);
    };
    await start();
    await accept(1);
    await eventually('it is sent', async () => (await countIn('sent')) === 1);
    expect(sends()).toHaveLength(2);
  });

  it('refunds messages that the carrier refuses', async () => {
    answerSend = json(400, { code: 21_612, message: 'Not reachable from this sender', status: 400 });
    await start();
    await accept(3);
    await eventually('all have failed', async () => (await countIn('failed')) === 3);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000, used: 0 });
  });

  it('sends messages whose jobs the queue has lost', async () => {
    const ids = await accept(20);
    await bed.forgetQueue();
    await start();
    await eventually('all are sent', async () => (await countIn('sent')) === 20, 20_000);
    expect(sentIds().sort()).toEqual(ids.map(publicMessageId).sort());
  });

  it('does not let one account’s backlog delay another account’s message', async () => {
    await accept(100);
    const other = await createTestAccount(core);
    const [late] = await accept(1, other);
    if (late === undefined) throw new Error('The message was not accepted');
    await start({ WORKER_CONCURRENCY: '10' });
    await eventually('the late one is sent', async () => sentIds().includes(publicMessageId(late)), 20_000);
    // Messages dispatched at the same moment may arrive before it, but not the whole backlog.
    expect(sentIds().indexOf(publicMessageId(late))).toBeLessThan(15);
    await eventually('all are sent', async () => (await countIn('sent')) === 100, 20_000);
  });

  it('sends emails that were queued before it started', async () => {
    const sandbox = await startSandbox();
    const arrived = async () =>
      (await (await fetch(`${sandbox.url}/_control/mail?to=${account.email}`)).json()) as unknown[];
    try {
      await core.get(WelcomeMails).send({ ...account, displayName: 'Ada' });
      await start({ SMTP_URL: sandbox.smtpUrl });
      await eventually('it is sent', async () => (await arrived()).length === 1);
      await eventually(
        'it is recorded as sent',
        async () => (await bed.database.sql(`SELECT 1 FROM mails WHERE status = 'sent'`)).length === 1,
      );
    } finally {
      await sandbox.close();
    }
  });

  it('finishes calls in flight on shutdown and starts no others', async () => {
    const release: (() => void)[] = [];
    const accepting = answerSend;
    answerSend = (response, request) => release.push(() => accepting(response, request));
    await start();
    await accept(5);
    await eventually('calls are in flight', async () => release.length === 5);
    const stopped = worker?.close();
    worker = undefined;
    await accept(5);
    release.forEach((answer) => answer());
    await stopped;
    expect([await countIn('sent'), await countIn('queued'), await countIn('sending')]).toEqual([5, 5, 0]);
  });

  it.each([
    ['the job after credits were added', { lost: false }],
    ['recovery, when that job is lost', { lost: true }],
  ])('releases held replies by %s, and delivers their webhooks', async (_title, { lost }) => {
    const receiver = await startLocalServer();
    receiver.answer = (response) => response.writeHead(200).end();
    try {
      const poor = await createTestAccount(core, { credits: 1 });
      await bed.database.sql('INSERT INTO webhook_endpoints (account_id, url) VALUES ($1, $2)', [
        poor.id,
        `${receiver.url}/sms`,
      ]);
      const recipient = lost ? '+14155550001' : '+14155550002';
      await texted(core, bed.database, poor, { recipient });
      const outcome = await core.get(ReceiveReplies).receive({
        carrier: 1,
        carrierId: `SM${recipient}`,
        sender: recipient,
        recipient: '+15005550006',
        service: undefined,
        text: 'Held',
        segments: 1,
        wish: undefined,
      });
      expect(outcome).toBe('held');
      // A long interval keeps recovery out of the case without a lost job.
      await start({ ALLOW_PRIVATE_WEBHOOKS: 'true', ...(!lost && { RECOVERY_INTERVAL_MS: '60000' }) });
      if (lost) {
        await core
          .get(Postgres)
          .transaction((tx) =>
            core
              .get(Credits)
              .post(tx, [{ accountId: poor.id, amount: 1, kind: 'adjustment', sourceId: `lost ${poor.id}` }]),
          );
      } else await adjustCredits(core, poor.email, 1, 'test');
      await eventually('the webhook is delivered', async () => receiver.requests.length === 1, 20_000);
      expect(await moneyOf(bed.database, poor.id)).toMatchObject({ balance: 0, used: 2 });
    } finally {
      await receiver.close();
    }
  });

  it('names each job that it cannot read in its log, without the values, counts it and goes on', async () => {
    await start();
    const started = worker;
    if (!started) throw new Error('The worker has not started.');
    const lines = logLines(started);
    const queueOf = (name: string) => core.named<Queue>(getQueueToken(name));
    const { dispatch, webhooks, creditsAdded } = queueNames;
    await queueOf(dispatch).add('nonsense', { messages: [{ messageId: account.id, accountId: account.id }] });
    await queueOf(dispatch).add(dispatch, {});
    await queueOf(dispatch).add(dispatch, { messages: [{ messageId: '+12025550142', accountId: account.id }] });
    await queueOf(webhooks).add(webhooks, { deliveryId: 7 }, { jobId: 'a-webhook' });
    await queueOf(creditsAdded).add(creditsAdded, 'nothing');

    await eventually('each is named', async () => lines.length === 5);
    expect(lines.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => 'job unreadable'));
    expect(lines.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { queue: dispatch, jobId: expect.any(String), name: 'nonsense', paths: undefined },
        { queue: dispatch, jobId: expect.any(String), name: dispatch, paths: ['messages'] },
        { queue: dispatch, jobId: expect.any(String), name: dispatch, paths: ['messages.0.messageId'] },
        { queue: webhooks, jobId: 'a-webhook', name: webhooks, paths: ['deliveryId', 'accountId'] },
        { queue: creditsAdded, jobId: expect.any(String), name: creditsAdded, paths: [''] },
      ]),
    );
    expect(JSON.stringify(lines)).not.toContain('2025550142');
    const { values } = await started.get(Metrics).jobsFailed.get();
    expect(values.map(({ labels, value }) => [labels.queue, labels.reason, value])).toEqual(
      expect.arrayContaining([
        [dispatch, 'unreadable', 3],
        [webhooks, 'unreadable', 1],
        [creditsAdded, 'unreadable', 1],
      ]),
    );

    await accept(1);
    await eventually('a message after them is sent', async () => (await countIn('sent')) === 1);
  });
});
