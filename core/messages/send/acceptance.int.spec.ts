import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { DomainError } from '../../platform/errors/domain-error.js';
import { acceptanceRow, refusedByRules } from '../../testing/acceptance-rows.js';
import { eventually } from '../../testing/eventually.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { countDay, createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { sqlState } from '../../platform/errors/database-error.js';
import { Acceptance } from './acceptance.js';
import type { AcceptanceRow } from './acceptance-batch.js';

/** An account of a random scene. */
interface Holder {
  readonly credits: number;
  readonly blocked: boolean;
  readonly urlsActivated: boolean;
  /** Messages that still fit the day's limit; acceptance refuses at 0. */
  readonly dayLeft: number;
}

interface Ask {
  readonly holder: number;
  readonly price: number;
  readonly key: 'own' | 'test' | 'unknown';
  readonly refused: boolean;
  readonly hasUrl: boolean;
  readonly optedOut: boolean;
  readonly addressBlocked: boolean;
  readonly idempotencyKey: string | null;
  readonly body: string;
  readonly server: 0 | 1;
}

const OPTED_OUT = '+14155550000';
const BLOCKED_ADDRESS = '203.0.113.1';

const rarely = (weight: number) => fc.integer({ min: 1, max: weight }).map((n) => n === weight);

const holder = fc.record<Holder>({
  credits: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(0), fc.integer({ min: 200, max: 2_000 })),
  blocked: rarely(8),
  urlsActivated: fc.boolean(),
  dayLeft: fc.constantFrom(0, 1, 2, 100, 100, 100, 100),
});

const ask = fc.record<Ask>({
  holder: fc.nat({ max: 4 }),
  price: fc.integer({ min: 1, max: 50 }).map((price) => (price > 40 ? price : (price % 5) + 1)),
  key: fc.constantFrom('own', 'own', 'own', 'own', 'own', 'own', 'own', 'own', 'test', 'unknown'),
  refused: rarely(10),
  hasUrl: rarely(10),
  optedOut: rarely(12),
  addressBlocked: rarely(20),
  idempotencyKey: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'c') },
  ),
  body: fc.constantFrom('Hello', 'Hello', 'Hello', 'Other'),
  server: fc.constantFrom(0, 1),
});

describe('Acceptance', () => {
  let bed: TestBed;
  let cores: [TestCore, TestCore];

  beforeAll(async () => {
    bed = await createTestBed();
    cores = await Promise.all([createTestCore(bed.config()), createTestCore(bed.config())]);
    await bed.database.sql(`INSERT INTO opt_outs (recipient, sender) VALUES ($1, '+15005550006')`, [OPTED_OUT]);
    await bed.database.sql('INSERT INTO blocked_addresses VALUES ($1)', [BLOCKED_ADDRESS]);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all((cores ?? []).map((core) => core.close()));
    await bed?.remove();
  });

  /** `verdict` is a refusal's code, else the decision's kind. */
  type Outcome = { readonly verdict: string; readonly earlierId: string | null };

  async function admit(row: AcceptanceRow, server: 0 | 1 = 0): Promise<Outcome> {
    const decision = await cores[server].get(Acceptance).decide(row);
    return {
      verdict: decision.kind === 'refused' ? decision.code : decision.kind,
      earlierId: decision.kind === 'replayed' ? decision.messageId : null,
    };
  }

  /** Decides a request; an error becomes its code. */
  async function decide(row: AcceptanceRow, server: 0 | 1): Promise<Outcome> {
    try {
      return await admit(row, server);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { verdict: error.code, earlierId: null };
    }
  }

  async function open(holders: readonly Holder[]): Promise<TestAccount[]> {
    return Promise.all(
      holders.map(async ({ credits, blocked, urlsActivated, dayLeft }) => {
        const account = await createTestAccount(cores[0], {
          credits,
          urlsActivated,
          ...(blocked && { blockedAt: new Date() }),
        });
        if (dayLeft < 100) await countDay(bed.database, account.id, 100 - dayLeft);
        return account;
      }),
    );
  }

  function rowOf(one: Ask, accounts: readonly TestAccount[]): AcceptanceRow {
    const apiKey = accounts[one.holder % accounts.length]?.apiKey ?? '';
    const shown = one.key === 'unknown' ? randomUUID() : one.key === 'test' ? `${apiKey}_test` : apiKey;
    const row = acceptanceRow(cores[0], shown, {
      price: one.price,
      segments: 1,
      hasUrl: one.hasUrl,
      body: one.body,
      idempotencyKey: one.idempotencyKey,
      ...(one.optedOut && { recipient: OPTED_OUT }),
      ...(one.addressBlocked && { address: BLOCKED_ADDRESS }),
    });
    return one.refused ? refusedByRules(row) : row;
  }

  /** Lists every answer that the account and the request allow, for any balance and order. */
  function allowed(one: Ask, { credits, blocked, urlsActivated, dayLeft }: Holder): string[] {
    if (one.addressBlocked) return ['address_blocked'];
    if (one.key === 'unknown') return ['unknown_api_key'];
    if (blocked) return ['account_blocked'];
    const test = one.key === 'test';
    const remembered = !test && one.idempotencyKey !== null ? ['replayed', 'idempotency_conflict'] : [];
    const broke = test ? [] : ['no_credits'];
    if (!test && credits === 0) return broke;
    if (one.refused) return [...remembered, ...broke, 'approved'];
    if (one.hasUrl && !urlsActivated) return [...remembered, ...broke, 'url_not_activated'];
    if (one.optedOut) return [...remembered, ...broke, 'recipient_opted_out'];
    if (test) return ['approved'];
    if (dayLeft === 0) return [...broke, 'daily_limit'];
    return [...remembered, ...broke, 'insufficient_credits', 'accepted'];
  }

  it('is exact under random concurrent requests through two processes', async () => {
    const scene = fc.record({
      holders: fc.array(holder, { minLength: 1, maxLength: 5 }),
      asks: fc.array(ask, { minLength: 150, maxLength: 400 }),
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ holders, asks }) => {
        const accounts = await open(holders);
        const rows = asks.map((one) => rowOf(one, accounts));
        const verdicts = await Promise.all(rows.map((row, n) => decide(row, asks[n]?.server ?? 0)));
        const played = asks.map((one, n) => ({
          one,
          row: rows[n] as AcceptanceRow,
          ...(verdicts[n] as Outcome),
        }));

        for (const { one, verdict } of played) {
          expect(allowed(one, holders[one.holder % holders.length] as Holder)).toContain(verdict);
        }
        for (const [index, { credits }] of holders.entries()) {
          const mine = played.filter(({ one }) => one.holder % holders.length === index && one.key !== 'unknown');
          const accepted = mine.filter(({ verdict }) => verdict === 'accepted');
          const spent = accepted.reduce((sum, { one }) => sum + one.price, 0);
          const money = await moneyOf(bed.database, accounts[index]?.id ?? '');
          expect(money).toMatchObject({
            balance: credits - spent,
            used: spent,
            ledger: credits - spent,
            messages: accepted.length,
          });

          // No credits are added here, so balances only fall: the last balance cannot cover a
          // refused price.
          for (const { one, verdict } of mine) {
            if (verdict === 'no_credits') expect(money.balance).toBe(0);
            if (verdict === 'insufficient_credits') expect(money.balance).toBeLessThan(one.price);
          }
          expectOneMessagePerIdempotencyKey(mine);
        }
        const stored = await bed.database.sql<{ id: string }>('SELECT id FROM messages WHERE id = ANY($1::uuid[])', [
          rows.map(({ id }) => id),
        ]);
        const accepted = played.filter(({ verdict }) => verdict === 'accepted').map(({ row }) => row.id);
        expect(stored.map(({ id }) => id).sort()).toEqual(accepted.sort());
        expect(await moneyFaults(bed.database)).toEqual([]);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  }, 120_000);

  type Played = { one: Ask; row: AcceptanceRow; verdict: string; earlierId: string | null };

  /**
   * Each key has one message; a repeated request returns it, and a different request is a conflict.
   */
  function expectOneMessagePerIdempotencyKey(played: Played[]) {
    const keyed = played.filter(({ one }) => one.idempotencyKey !== null && one.key === 'own');
    for (const name of new Set(keyed.map(({ one }) => one.idempotencyKey))) {
      const same = keyed.filter(({ one }) => one.idempotencyKey === name);
      const winners = same.filter(({ verdict }) => verdict === 'accepted');
      expect(winners.length).toBeLessThanOrEqual(1);
      for (const { row, verdict, earlierId } of same) {
        if (verdict !== 'replayed' && verdict !== 'idempotency_conflict') continue;
        const [winner] = winners;
        if (!winner) throw new Error('Only a key with a message is replayed or in conflict');
        expect(verdict === 'replayed').toBe(
          Buffer.compare(winner.row.bodyHash ?? Buffer.of(), row.bodyHash ?? Buffer.of()) === 0,
        );
        if (verdict === 'replayed') expect(earlierId).toBe(winner.row.id);
      }
    }
  }

  it('accepts everything that the balance covers, to the last credit', async () => {
    const prices = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(prices, async (wanted) => {
        const total = wanted.reduce((sum, price) => sum + price, 0);
        const account = await createTestAccount(cores[0], { credits: total });
        const verdicts = await Promise.all(
          wanted.map((price, n) => admit(acceptanceRow(cores[0], account.apiKey, { price }), n % 2 ? 1 : 0)),
        );
        expect(verdicts.filter(({ verdict }) => verdict !== 'accepted')).toEqual([]);
        expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 0, messages: wanted.length });
      }),
      { numRuns: 10 },
    );
  }, 60_000);

  it('spends a balance that covers only some, down to less than the cheapest refused one', async () => {
    const account = await createTestAccount(cores[0], { credits: 100 });
    const prices = Array.from({ length: 300 }, (_, n) => (n % 7) + 1);
    const played = await Promise.all(
      prices.map(async (price, n) => ({
        price,
        ...(await admit(acceptanceRow(cores[0], account.apiKey, { price }), n % 2 ? 1 : 0)),
      })),
    );
    const { balance } = await moneyOf(bed.database, account.id);
    expect(balance).toBe(0);
    expect(played.filter(({ verdict }) => verdict === 'accepted').reduce((sum, { price }) => sum + price, 0)).toBe(100);
  });

  it('gives a request the decision it gets alone, with any requests of other accounts in its batch', async () => {
    const scene = fc.record({
      mine: holder,
      subject: ask,
      holders: fc.array(holder, { minLength: 1, maxLength: 4 }),
      others: fc.array(ask, { maxLength: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ mine, subject, holders, others }) => {
        const [[first], [second], neighbors] = [await open([mine]), await open([mine]), await open(holders)];
        if (!first || !second) throw new Error('Both accounts are open');
        const alone = await decide(rowOf({ ...subject, holder: 0 }, [first]), 0);
        const place = others.length >> 1;
        const around = (part: Ask[]) => part.map((one) => decide(rowOf(one, neighbors), 0));
        const before = around(others.slice(0, place));
        const shared = decide(rowOf({ ...subject, holder: 0 }, [second]), 0);
        const after = around(others.slice(place));
        await Promise.all([...before, ...after]);
        expect((await shared).verdict).toBe(alone.verdict);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('does not let a neighbor of the same account take what the balance covers for both', async () => {
    const account = await createTestAccount(cores[0], { credits: 10 });
    const verdicts = await Promise.all(
      [9, 50, 1, 50].map((price) => admit(acceptanceRow(cores[0], account.apiKey, { price }))),
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual([
      'accepted',
      'insufficient_credits',
      'accepted',
      expect.stringMatching(/insufficient_credits|no_credits/),
    ]);
  });

  it.each([
    ['text that Postgres cannot hold', { body: 'a\0b' }],
    ['a price of 0', { price: 0 }],
    ['a negative price', { price: -5 }],
    ['a price beyond an integer', { price: 2_147_483_648 }],
    ['a price that is no whole number', { price: 1.5 }],
    ['no segments', { segments: 0 }],
    ['a kind that is none', { kind: 'fax' as 'sms' }],
    ['no recipient', { recipient: null }],
  ])(
    'stores and charges nothing for %s, alone or among neighbors, who get their own answers',
    async (_title, poison) => {
      const [account, other] = [await createTestAccount(cores[0]), await createTestAccount(cores[0])];
      await expect(admit(acceptanceRow(cores[0], account.apiKey, poison))).rejects.toThrow(/\S/);

      const neighbors = Array.from({ length: 20 }, () => admit(acceptanceRow(cores[0], other.apiKey)));
      const poisoned = cores[0].get(Acceptance).decide(acceptanceRow(cores[0], account.apiKey, poison));
      const more = Array.from({ length: 20 }, () => admit(acceptanceRow(cores[0], other.apiKey)));
      expect(await poisoned).toMatchObject({ kind: 'refused', code: 'failed', cause: expect.any(Error) });
      for (const { verdict } of await Promise.all([...neighbors, ...more])) expect(verdict).toBe('accepted');
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100, messages: 0, entries: 1 });
      expect(await moneyOf(bed.database, other.id)).toMatchObject({ balance: 60, messages: 40 });
    },
  );

  /**
   * Two accounts' rows are locked in one order by acceptance and in the other by a rival. Returns
   * whether Postgres chose acceptance as the victim, which depends on the machine's timing.
   */
  async function deadlock(low: TestAccount, high: TestAccount): Promise<boolean> {
    const rival = await bed.database.connect();
    try {
      const lock = (id: string) => rival.query('SELECT 1 FROM credit_accounts WHERE account_id = $1 FOR UPDATE', [id]);
      await rival.query('BEGIN');
      await lock(high.id);
      const verdicts = Promise.all([low, high].map(({ apiKey }) => admit(acceptanceRow(cores[0], apiKey))));
      await eventually('acceptance waits for the rival', async () => {
        const waiting = await bed.database.sql(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      const rivalWins = await lock(low.id).then(
        () => true,
        (error: unknown) => (sqlState(error) === '40P01' ? false : Promise.reject(error)),
      );
      await rival.query(rivalWins ? 'COMMIT' : 'ROLLBACK');
      expect((await verdicts).map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted']);
      return rivalWins;
    } finally {
      await rival.end();
    }
  }

  it('decides again after a deadlock', async () => {
    const accounts = [await createTestAccount(cores[0]), await createTestAccount(cores[0])].sort((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    const [low, high] = accounts as [TestAccount, TestAccount];
    let rounds = 1;
    while (!(await deadlock(low, high))) {
      rounds += 1;
      expect(rounds).toBeLessThan(10);
    }
    expect(await moneyOf(bed.database, low.id)).toMatchObject({ balance: 100 - rounds, messages: rounds });
  }, 60_000);

  it('puts a message into the partition of its month, and leaves the default one empty', async () => {
    const account = await createTestAccount(cores[0]);
    const row = acceptanceRow(cores[0], account.apiKey);
    await admit(row);
    const [found] = await bed.database.sql<{ partition: string }>(
      'SELECT tableoid::regclass::text AS partition FROM messages WHERE id = $1',
      [row.id],
    );
    expect(found?.partition).toBe(`messages_${new Date().toISOString().slice(0, 7).replace('-', '_')}`);
    expect(await bed.database.sql('SELECT 1 FROM messages_default')).toEqual([]);
  });

  it('cannot hold a balance below 0, one that purchased and used do not make, or one that overflows', async () => {
    const { id } = await createTestAccount(cores[0]);
    const set = (what: string) => bed.database.sql(`UPDATE credit_accounts SET ${what} WHERE account_id = $1`, [id]);
    await expect(set('balance = -1, used = 101')).rejects.toThrow(/check constraint/);
    await expect(set('balance = 99')).rejects.toThrow(/check constraint/);
    await expect(set('balance = balance + 1, used = -1')).rejects.toThrow(/check constraint/);
    await expect(set('balance = 9223372036854775807 + balance')).rejects.toThrow(/out of range/);
  });

  it('cannot hold a message without a price, refunded in part, or an entry of nothing', async () => {
    const account = await createTestAccount(cores[0]);
    const row = acceptanceRow(cores[0], account.apiKey, { price: 5 });
    await admit(row);
    const set = (what: string) => bed.database.sql(`UPDATE messages SET ${what} WHERE id = $1`, [row.id]);
    for (const what of [
      'credits = 0',
      'credits = -1',
      'refunded = 3',
      'refunded = 10',
      'segments = 0',
      `status = 'lost'`,
    ]) {
      await expect(set(what)).rejects.toThrow(/check constraint/);
    }
    const entry = (amount: string) =>
      bed.database.sql(
        `INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
          VALUES ($1, 9, ${amount}, 0, 'message', 'x')`,
        [account.id],
      );
    await expect(entry('0')).rejects.toThrow(/check constraint/);
  });
});
