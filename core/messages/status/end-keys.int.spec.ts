import { setTimeout as pause } from 'node:timers/promises';
import { NamedKeys } from '../../keys/named-keys.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { Postgres } from '../../platform/database/postgres.js';
import { newMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { deliveryDayFaults } from '../../testing/delivery-day-faults.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { AcceptBulk } from '../bulk/accept-bulk.js';
import { BatchesRepository } from '../bulk/batches.repository.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { ReleaseScheduled } from '../recovery/release-scheduled.js';
import { Acceptance } from '../send/acceptance.js';
import { EndKeys } from './end-keys.js';
import { KeySchedules, removeSchedule } from './key-schedules.js';

const LATER = new Date(Date.now() + 3_600_000);
const timing = (sendAt: Date) => ({ sendAt, validitySeconds: null });

describe('A key that ends', () => {
  let bed: TestBed;
  let cores: [TestCore, TestCore];
  let account: TestAccount;
  let key: { readonly id: string; readonly secret: string };

  beforeAll(async () => {
    bed = await createTestBed();
    cores = await Promise.all([createTestCore(bed.config()), createTestCore(bed.config())]);
  });

  const by = () => ({ actor: 'account', accountId: account.id }) as const;
  const core = () => cores[0];

  beforeEach(async () => {
    for (const { carrier } of cores) carrier.forget();
    account = await createTestAccount(core(), { credits: 1_000, dailyLimit: 1_000 });
    const limits = { addresses: [], countries: [], creditsPerDay: null, creditsPerMonth: null };
    key = await core()
      .get(NamedKeys)
      .create(by(), {
        ...limits,
        name: 'Shop',
        mode: 'live',
        scopes: ['send'],
        messagesPerSecond: null,
        expiresAt: null,
      });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect(await deliveryDayFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all((cores ?? []).map((one) => one.close()));
    await bed?.remove();
  });

  const schedule = async (secret: string, n: number, sendAt = LATER) => {
    const row = acceptanceRow(core(), secret, { recipient: `+1415555${3_000 + n}`, timing: timing(sendAt) });
    expect(await core().get(Acceptance).decide(row)).toMatchObject({ kind: 'accepted' });
    return row.id;
  };
  const scheduleBulk = async (secret: string, messages: number, sendAt = LATER) => {
    const rows = Array.from({ length: messages }, (_, n) =>
      acceptanceRow(core(), secret, { recipient: `+1415556${2_000 + n}`, timing: timing(sendAt) }),
    );
    const bulk = { id: newMessageId(), accountId: account.id, rows, idempotency: undefined, partial: false };
    const decision = await core()
      .get(AcceptBulk)
      .accept({ ...bulk, isSent: true, rejectedOf: () => [] });
    expect(decision.kind).toBe('accepted');
    return rows.map(({ id }) => id);
  };
  const count = (keyId = key.id) => core().get(KeySchedules).count(account.id, keyId);
  const cancelAll = async (worker: 0 | 1 = 0) => {
    while (await cores[worker].get(KeySchedules).run());
  };
  const statuses = async () =>
    Object.fromEntries(
      (
        await bed.database.sql<{ status: string; messages: number }>(
          'SELECT status, count(*)::int AS messages FROM messages WHERE account_id = $1 GROUP BY 1',
          [account.id],
        )
      ).map(({ status, messages }) => [status, messages]),
    );

  it('cancels and refunds what it has scheduled, alone and in bulks, once, and nothing of other keys', async () => {
    await schedule(key.secret, 1);
    await scheduleBulk(key.secret, 250);
    await schedule(account.apiKey, 2);
    const defaultId = await core().get(ApiKeys).defaultId(account.id);
    expect([await count(), await count(defaultId)]).toEqual([251, 1]);
    expect(await core().get(EndKeys).revoke(by(), key.id, true)).toEqual({ canceled: 251 });
    expect([await count(), await count(defaultId)]).toEqual([0, 1]);
    await Promise.all([cancelAll(0), cancelAll(1)]);
    expect(await statuses()).toEqual({ canceled: 251, scheduled: 1 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 999 });
    expect(await bed.database.sql('SELECT FROM message_checks WHERE canceled')).toEqual([]);
  });

  it('leaves them to their time unless it is asked to cancel them', async () => {
    await schedule(key.secret, 1);
    expect(await core().get(EndKeys).revoke(by(), key.id, false)).toEqual({ canceled: 0 });
    await cancelAll();
    expect(await count()).toBe(1);
    expect(await statuses()).toEqual({ scheduled: 1 });
  });

  it('cancels nothing when it does not end', async () => {
    await schedule(key.secret, 1);
    const other = await createTestAccount(core());
    const foreign = { actor: 'account', accountId: other.id } as const;
    await expect(core().get(EndKeys).revoke(foreign, key.id, true)).rejects.toMatchObject({ code: 'key_not_found' });
    await cancelAll();
    expect(await count()).toBe(1);
  });

  it('also when its secret is replaced, and keeps what the new secret schedules', async () => {
    await schedule(key.secret, 1);
    const { canceled, secret } = await core().get(EndKeys).rotate(by(), key.id, 24, true);
    expect(canceled).toBe(1);
    await schedule(secret, 2);
    await cancelAll();
    expect(await statuses()).toEqual({ canceled: 1, scheduled: 1 });
    expect(await count()).toBe(1);
  });

  it('also when it is the first key of the account', async () => {
    await schedule(account.apiKey, 1);
    await schedule(key.secret, 2);
    expect(await core().get(EndKeys).rotateDefault(account.id, 0, true)).toEqual({ canceled: 1 });
    const { apiKey } = await core().get(ApiKeys).list(account.id);
    await schedule(apiKey, 3);
    await cancelAll();
    expect(await statuses()).toEqual({ canceled: 1, scheduled: 2 });
  });

  it('lets no message leave from then on, though no worker has canceled it yet', async () => {
    const id = await schedule(key.secret, 1, new Date(Date.now() - 1_000));
    await core().get(EndKeys).revoke(by(), key.id, true);
    while (await cores[1].get(ReleaseScheduled).run());
    await cores[1].get(DispatchMessage).dispatch(id);
    expect(cores[1].carrier.calls).toEqual([]);
    await cancelAll();
    expect(await statuses()).toEqual({ canceled: 1 });
  });

  it('cancels or sends each message, when its time comes at the same moment', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { id, secret } = await core()
        .get(NamedKeys)
        .create(by(), {
          name: 'Round',
          mode: 'live',
          scopes: ['send'],
          addresses: [],
          countries: [],
          creditsPerDay: null,
          creditsPerMonth: null,
          messagesPerSecond: null,
          expiresAt: null,
        });
      const messageId = await schedule(secret, round, new Date(Date.now() - 1_000));
      const release = async () => {
        while (await cores[1].get(ReleaseScheduled).run());
        await cores[1].get(DispatchMessage).dispatch(messageId);
      };
      const end = () => core().get(EndKeys).revoke(by(), id, true);
      const tries = round % 2 ? [release, end] : [end, release];
      await Promise.all(tries.map((run) => run()));
      await Promise.all([cancelAll(0), cancelAll(1)]);
      const [row] = await bed.database.sql<{ status: string; refunded: number }>(
        'SELECT status, refunded::int FROM messages WHERE id = $1',
        [messageId],
      );
      const calls = cores[1].carrier.calls.filter((call) => call.id === messageId).length;
      expect([row?.status, row?.refunded, calls]).toEqual(
        row?.status === 'canceled' ? ['canceled', 1, 0] : ['sent', 0, 1],
      );
    }
  });

  it('goes on after a crash between the end of the key and the last message', async () => {
    await scheduleBulk(key.secret, 5);
    await core().get(EndKeys).revoke(by(), key.id, true);
    const postgres = core().get(Postgres);
    const query = postgres.query.bind(postgres);
    jest.spyOn(postgres, 'query').mockImplementation(async (statement: { name?: string; text: string }, values) => {
      if (statement.name === removeSchedule.name) throw new Error('killed');
      return query(statement, values);
    });
    await expect(core().get(KeySchedules).run()).rejects.toThrow('killed');
    jest.restoreAllMocks();
    await cancelAll(1);
    expect(await statuses()).toEqual({ canceled: 5 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000 });
  });

  it.each(['revoked', 'replaced'])('misses no bulk that is being accepted while it is %s', async (how) => {
    const keys = cores[1].get(EndKeys);
    const batches = core().get(BatchesRepository);
    const store = batches.store.bind(batches);
    const ending: Promise<unknown>[] = [];
    let isWaiting = false;
    jest.spyOn(batches, 'store').mockImplementation(async (...batch) => {
      const ended = how === 'revoked' ? keys.revoke(by(), key.id, true) : keys.rotate(by(), key.id, 0, true);
      ending.push(ended);
      isWaiting = await Promise.race([ended.then(() => false), pause(200).then(() => true)]);
      return store(...batch);
    });
    expect(await scheduleBulk(key.secret, 300)).toHaveLength(300);
    expect([isWaiting, await Promise.all(ending)]).toMatchObject([true, [{ canceled: 300 }]]);
    await cancelAll();
    expect(await statuses()).toEqual({ canceled: 300 });
  });

  const ends = {
    revoked: () => cores[1].get(EndKeys).revoke(by(), key.id, true),
    replaced: () => cores[1].get(EndKeys).rotate(by(), key.id, 0, true),
    'the first one, and replaced': () => cores[1].get(EndKeys).rotateDefault(account.id, 0, true),
  };
  it.each(Object.keys(ends) as (keyof typeof ends)[])(
    'schedules nothing that had to wait until it was %s',
    async (how) => {
      const secret = how === 'the first one, and replaced' ? account.apiKey : key.secret;
      const schedules = cores[1].get(KeySchedules);
      const cancel = schedules.cancel.bind(schedules);
      const waiting: Promise<unknown>[] = [];
      jest.spyOn(schedules, 'cancel').mockImplementation(async (...of) => {
        // The account is locked and the key has ended, but the others read the key before the
        // commit.
        const rows = [1, 2].map((n) =>
          acceptanceRow(core(), secret, { recipient: `+1415555${4_000 + n}`, timing: timing(LATER) }),
        );
        waiting.push(...rows.slice(1).map((row) => core().get(Acceptance).decide(row)));
        const bulk = { id: newMessageId(), accountId: account.id, rows: rows.slice(0, 1), idempotency: undefined };
        const accept = core().get(AcceptBulk);
        waiting.push(accept.accept({ ...bulk, partial: false, isSent: true, rejectedOf: () => [] }));
        await pause(300);
        return cancel(...of);
      });
      await ends[how]();
      expect(await Promise.all(waiting)).toMatchObject([
        { kind: 'refused', code: 'unknown_api_key' },
        { kind: 'refused', code: 'unknown_api_key' },
      ]);
      expect(await statuses()).toEqual({});
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000 });
    },
  );
});
