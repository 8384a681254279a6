import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { takeDueStatement as takeDueWelcomes } from '../../accounts/sign-in/welcome-mails.js';
import { TopUpsRepository } from '../../billing/top-ups/top-ups.repository.js';
import { LedgerSeals } from '../../credits/ledger-seals.js';
import { AwaitedMedia, takeDueReplies } from '../../inbound/awaited-media.js';
import { takeDueMails } from '../../mail/mail-sender.js';
import { Mails } from '../../mail/mails.js';
import { MediaRepository } from '../../media/media.repository.js';
import { ReplyMedia } from '../../media/reply-media.js';
import { DueMessagesRepository } from '../../messages/recovery/due-messages.repository.js';
import { Acceptance } from '../../messages/send/acceptance.js';
import { OtpStepsRepository } from '../../otp/steps/otp-steps.repository.js';
import { OrdersRepository } from '../../numbers/orders.repository.js';
import { newMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { DeliveriesRepository } from '../../webhooks/deliveries/deliveries.repository.js';
import { AttemptsRepository } from '../../webhooks/delivery/attempts.repository.js';
import { EndpointsRepository } from '../../webhooks/endpoints/endpoints.repository.js';
import { WebhookEndpoints } from '../../webhooks/endpoints/webhook-endpoints.js';
import { WebhookEvents } from '../../webhooks/webhook-events.js';
import { Postgres } from '../database/postgres.js';

/** A statement that takes rows which several workers share. */
interface Take {
  readonly name: string;
  /** Makes two rows due, one after the other, and returns their keys. */
  readonly make: () => Promise<[string, string]>;
  /** Selects the row of the key `$1`, for a lock. */
  readonly row: string;
  /** Returns the keys of the rows that it takes. */
  readonly take: () => Promise<string[]>;
}

describe('Several workers', () => {
  let bed: TestBed;
  let core: TestCore;
  let accounts: [TestAccount, TestAccount];

  beforeAll(async () => {
    bed = await createTestBed();
    // A statement that waits for another's lock fails, instead of ending late.
    await bed.database.sql(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET lock_timeout = ''1s''', current_database()); END $$`,
    );
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    accounts = [await createTestAccount(core), await createTestAccount(core)];
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const get: TestCore['get'] = (type) => core.get(type);
  const sql = <Row extends object>(text: string, values: unknown[] = []) => get(Postgres).query<Row>({ text }, values);
  const transaction: Postgres['transaction'] = (work) => get(Postgres).transaction(work);
  /** Runs `work` while another connection holds the locks of the statement. */
  async function whileLocked(text: string, values: unknown[], work: () => Promise<void>): Promise<void> {
    const other = await bed.database.connect();
    try {
      await other.query('BEGIN');
      await other.query(text, values);
      await work();
    } finally {
      await other.end();
    }
  }
  const keys = <Row extends object>(rows: readonly Row[], name: keyof Row) => rows.map((row) => String(row[name]));
  const ids = () => accounts.map(({ id }) => id) as [string, string];
  const two = async (make: (account: TestAccount, seconds: number) => Promise<string>): Promise<[string, string]> => [
    await make(accounts[0], 20),
    await make(accounts[1], 10),
  ];
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

  const message = (account: TestAccount, sendAt?: Date) => {
    const row = acceptanceRow({ get }, account.apiKey, sendAt && { timing: { sendAt, validitySeconds: 3_600 } });
    return get(Acceptance)
      .decide(row)
      .then(() => row.id);
  };
  const delivery = async (account: TestAccount, status: string, dueAt: Date) => {
    await get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    const event = { accountId: account.id, type: 'message.received', sourceId: randomUUID(), payload: {} } as const;
    const id = (await transaction((tx) => get(WebhookEvents).record(tx, event))) ?? '';
    await sql('UPDATE webhook_deliveries SET status = $2, due_at = $3 WHERE id = $1', [id, status, dueAt]);
    return id;
  };
  const ofOneAccount = async (status: string): Promise<[string, string]> => {
    const both: [string, string] = [
      await delivery(accounts[0], 'pending', ago(-600)),
      await delivery(accounts[0], 'pending', ago(-600)),
    ];
    await sql('UPDATE webhook_deliveries SET status = $2 WHERE account_id = $1', [accounts[0].id, status]);
    return both;
  };
  const dueNow = async () =>
    keys(await sql<{ id: string }>('SELECT id FROM webhook_deliveries WHERE due_at <= now()'), 'id');

  const takes: readonly Take[] = [
    {
      name: 'checks of messages',
      make: () =>
        two(async (account, seconds) => {
          const id = await message(account);
          await sql('UPDATE message_checks SET due_at = $2 WHERE $1 = ANY (message_ids)', [id, ago(seconds)]);
          return id;
        }),
      row: 'SELECT FROM message_checks WHERE $1 = ANY (message_ids)',
      take: async () => keys(await get(DueMessagesRepository).take(60, 60), 'id'),
    },
    {
      name: 'schedules of messages',
      make: () => two((account, seconds) => message(account, ago(seconds))),
      row: 'SELECT FROM message_checks WHERE $1 = ANY (message_ids)',
      take: async () => keys((await get(DueMessagesRepository).releaseScheduled()).messages, 'id'),
    },
    {
      name: 'emails',
      make: () =>
        two(async ({ id: accountId, email: recipient }, seconds) => {
          const content = { kind: 'welcome', displayName: 'Ada', credits: 3 } as const;
          await transaction((tx) => get(Mails).queue(tx, { accountId, recipient, sourceId: accountId, content }));
          const text = 'UPDATE mails SET due_at = $2 WHERE source_id = $1 RETURNING id';
          return keys(await sql<{ id: string }>(text, [accountId, ago(seconds)]), 'id').join();
        }),
      row: 'SELECT FROM mails WHERE id = $1',
      take: async () => keys(await sql<{ id: string }>(takeDueMails.text), 'id'),
    },
    {
      name: 'welcome emails',
      make: () =>
        two(async ({ id }, seconds) => {
          await sql('UPDATE accounts SET welcome_mail_due_at = $2 WHERE id = $1', [id, ago(seconds)]);
          return id;
        }),
      row: 'SELECT FROM accounts WHERE id = $1',
      take: async () => keys(await sql<{ id: string }>(takeDueWelcomes.text), 'id'),
    },
    {
      name: 'deletions of accounts',
      make: () =>
        two(async ({ id }, seconds) => {
          await sql('UPDATE accounts SET delete_at = $2 WHERE id = $1', [id, ago(seconds)]);
          return id;
        }),
      row: 'SELECT FROM accounts WHERE id = $1',
      take: () => transaction((tx) => get(AccountsRepository).closeDue(tx)),
    },
    {
      name: 'webhook deliveries',
      make: () => two((account, seconds) => delivery(account, 'pending', ago(seconds))),
      row: 'SELECT FROM webhook_deliveries WHERE id = $1',
      take: async () => keys(await get(AttemptsRepository).takeDue(), 'id'),
    },
    {
      name: 'deliveries that were postponed for a busy receiver',
      make: () => ofOneAccount('pending'),
      row: 'SELECT FROM webhook_deliveries WHERE id = $1',
      take: async () => {
        await get(AttemptsRepository).resumePostponed(ids()[0]);
        return dueNow();
      },
    },
    {
      name: 'deliveries that were paused with their webhook',
      make: () => ofOneAccount('paused'),
      row: 'SELECT FROM webhook_deliveries WHERE id = $1',
      take: async () => {
        await transaction((tx) => get(DeliveriesRepository).resume(tx, ids()[0]));
        return dueNow();
      },
    },
    {
      name: 'accounts with alerts',
      make: () =>
        two(async ({ id }, seconds) => {
          await get(WebhookEndpoints).setUrl(id, 'https://example.com/sms');
          const text =
            'UPDATE webhook_endpoints SET low_credits_mail = true, credits_seen_at = $2 WHERE account_id = $1';
          await sql(text, [id, ago(seconds)]);
          return id;
        }),
      row: 'SELECT FROM webhook_endpoints WHERE account_id = $1',
      take: async () => keys(await transaction((tx) => get(EndpointsRepository).takeWatched(tx)), 'accountId'),
    },
    {
      name: 'accounts with automatic top-up',
      make: () =>
        two(async ({ id }, seconds) => {
          const repository = get(TopUpsRepository);
          const card = { paymentMethodId: 'pm_1', brand: 'visa', last4: '4242', expires: '12/2034' };
          const settings = { enabled: true, threshold: 50, pack: 'basic', perMonthMax: 3 } as const;
          await repository.saveCustomer(id, `cus_${id}`);
          await transaction(async (tx) => {
            await repository.saveCard(tx, id, card, new Date());
            await repository.saveSettings(tx, id, settings);
          });
          await sql('UPDATE auto_top_ups SET seen_at = $2 WHERE account_id = $1', [id, ago(seconds)]);
          return id;
        }),
      row: 'SELECT FROM auto_top_ups WHERE account_id = $1',
      take: async () => keys(await get(TopUpsRepository).takeWatched(), 'accountId'),
    },
    {
      name: 'top-ups',
      make: () =>
        two(async ({ id: accountId }, seconds) => {
          const id = randomUUID();
          const charge = { pack: 'basic', credits: 250, amountCents: 1_000, customerId: 'cus_1' } as const;
          const topUp = { ...charge, id, accountId, paymentMethodId: 'pm_1', cardLast4: '4242' };
          await transaction((tx) => get(TopUpsRepository).insert(tx, topUp));
          await sql('UPDATE top_ups SET due_at = $2 WHERE id = $1', [id, ago(seconds)]);
          return id;
        }),
      row: 'SELECT FROM top_ups WHERE id = $1',
      take: async () => keys(await get(TopUpsRepository).takeDue(), 'id'),
    },
    {
      name: 'files of replies',
      make: () =>
        two(async ({ id: accountId }, seconds) => {
          const replyId = randomUUID();
          const files = [{ url: 'https://carrier.example/picture', type: 'image/png' }];
          await transaction((tx) => get(ReplyMedia).expect(tx, [{ id: replyId, accountId, carrier: 1, files }]));
          const text = 'UPDATE media SET due_at = $2 WHERE message_id = $1 RETURNING id';
          return keys(await sql<{ id: string }>(text, [replyId, ago(seconds)]), 'id').join();
        }),
      row: 'SELECT FROM media WHERE id = $1',
      take: async () => keys(await get(ReplyMedia).takeDue(), 'id'),
    },
    {
      name: 'replies that wait for their files',
      make: () =>
        two(async ({ id: accountId }, seconds) => {
          const id = randomUUID();
          await transaction((tx) => get(AwaitedMedia).expect(tx, [{ id, accountId }]));
          await sql('UPDATE replies_awaiting_media SET due_at = $2 WHERE reply_id = $1', [id, ago(seconds)]);
          return id;
        }),
      row: 'SELECT FROM replies_awaiting_media WHERE reply_id = $1',
      take: async () => keys(await sql<{ id: string }>(takeDueReplies.text), 'id'),
    },
    {
      name: 'purchases of numbers',
      make: () =>
        two(async ({ id: accountId }, seconds) => {
          const id = newMessageId();
          const price = { credits: 50, setupCredits: 0, keyId: null, budgetDay: null, carrier: 1 };
          const order = { id, accountId, number: '+12125550143', ...price, bodyHash: null, idempotencyKey: null };
          await transaction((tx) => get(OrdersRepository).insert(tx, { ...order, dueSeconds: -seconds }));
          return id;
        }),
      row: 'SELECT FROM number_orders WHERE id = $1',
      take: async () => keys(await get(OrdersRepository).takeDue(), 'id'),
    },
    {
      name: 'steps of codes',
      make: () =>
        two(async ({ id: accountId }, seconds) => {
          const id = newMessageId();
          const plan = { plan: [{ channel: 'sms', to: '+14155552671', waitSeconds: 60 }] };
          const text = `
INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, expires_at, forget_at, steps, step, step_at)
VALUES ($1, $2, '+14155552671', $3, 6, now() + interval '5 minutes', now() + interval '1 day', $4, 1, $5)`;
          await sql(text, [id, accountId, randomBytes(32), plan, ago(seconds)]);
          return id;
        }),
      row: 'SELECT FROM otp_codes WHERE id = $1',
      take: async () => keys(await get(OtpStepsRepository).takeDue(), 'id'),
    },
    {
      name: 'deletions of files',
      make: () =>
        two(async ({ id }, seconds) => {
          const sha256 = randomBytes(32);
          const text = 'INSERT INTO media_deletions (account_id, sha256, due_at) VALUES ($1, $2, $3)';
          await sql(text, [id, sha256, ago(seconds)]);
          return sha256.toString('hex');
        }),
      row: `SELECT FROM media_deletions WHERE encode(sha256, 'hex') = $1`,
      take: async () => keys(await get(MediaRepository).takeDeletions(), 'sha256'),
    },
  ];

  it.each(takes)(
    'share $name: one takes the next at once while another holds the first',
    async ({ make, row, take }) => {
      const [first, second] = await make();
      await whileLocked(`${row} FOR UPDATE`, [first], async () => {
        const taken = await take();
        expect(taken).toContain(second);
        expect(taken).not.toContain(first);
      });
      expect(await take()).toContain(first);
    },
  );

  it('seal ledgers one at a time: the others do not wait', async () => {
    const seals = () => sql('SELECT account_id FROM ledger_seals');
    await whileLocked(`SELECT pg_advisory_xact_lock(hashtext('pennytext ledger seals'))`, [], async () => {
      expect(await get(LedgerSeals).run()).toBe(false);
      expect(await seals()).toEqual([]);
    });
    await get(LedgerSeals).run();
    expect(await seals()).not.toEqual([]);
  });

  it('have a test for each statement that skips locked rows', () => {
    const folder = join(__dirname, '../..');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8'));
    const taking = sources.join('').match(/isDueAndFree\(|SKIP LOCKED/g);
    // The condition itself has no case.
    expect(taking).toHaveLength(takes.length + 1);
  });
});
