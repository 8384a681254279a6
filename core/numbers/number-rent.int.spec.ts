import { PaymentEvents } from '../billing/payment-events.js';
import { Credits } from '../credits/credits.js';
import { adjustCredits } from '../testing/operator-credits.js';
import { createTestCore } from '../testing/test-core.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { NumberMoney } from './number-money.js';
import { NumberRent } from './number-rent.js';
import { Numbers } from './numbers.js';
import { NumbersRepository } from './numbers.repository.js';
import { byOwner, numberScene } from './testing/number-scene.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('NumberRent', () => {
  const scene = numberScene();
  const { buy, balance, rents, rows, sold } = scene;
  const run = (now: Date, process = scene.core) => process.get(NumberRent).run(now);
  const sql = (text: string, ...values: unknown[]) => scene.bed.database.sql(text, values);

  afterEach(async () => {
    expect(await scene.core.get(NumberMoney).countMismatches()).toBe(0);
    // The next test looks only at its own numbers.
    await sql('UPDATE numbers SET due_at = NULL');
  });

  /** A number that was bought at an instant. */
  const boughtAt = async (at: string) => {
    const { id, number } = await buy();
    await sql(
      `UPDATE numbers SET activated_at = $2, renews_at = e.at, due_at = e.at
       FROM (SELECT ($2::timestamptz AT TIME ZONE 'America/New_York' + interval '1 month')
         AT TIME ZONE 'America/New_York' AS at) e
       WHERE id = $1`,
      id,
      at,
    );
    return { id, number };
  };
  const renewsAt = async () => {
    const [row] = await scene.bed.database.sql<{ renews_at: Date }>(
      'SELECT renews_at FROM numbers WHERE account_id = $1',
      [scene.account.id],
    );
    return row?.renews_at.toISOString();
  };
  /** Leaves an account without the credits for the next month. */
  const poor = async () => {
    const bought = await boughtAt('2027-01-10T15:00:00Z');
    await adjustCredits(scene.core, scene.account.email, -203, 'test');
    return { ...bought, due: new Date('2027-02-10T15:00:00Z') };
  };
  const after = (due: Date, days: number) => new Date(due.getTime() + days * DAY_MS + 1_000);
  const mails = () =>
    scene.bed.database.sql<{ kind: string; content: { day?: number } }>(
      `SELECT kind, content FROM mails WHERE account_id = $1 AND kind LIKE 'number%' AND kind <> 'number_bought'
       ORDER BY created_at, id`,
      [scene.account.id],
    );
  const listen = async () => {
    const events = ['number.active', 'number.past_due', 'number.released'] as const;
    await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, 'https://example.com/hook');
    await scene.core.get(WebhookEndpoints).setEvents(scene.account.id, [...events]);
  };
  const events = async () => {
    const found = await scene.bed.database.sql<{ body: string }>(
      'SELECT body FROM webhook_deliveries WHERE account_id = $1 ORDER BY id',
      [scene.account.id],
    );
    return found.map(({ body }) => JSON.parse(body) as { type: string; data: { day?: number; reason?: string } });
  };

  it('is exact over 14 months with a leap day and changes to and from daylight-saving time', async () => {
    await adjustCredits(scene.core, scene.account.email, 1_000, 'test');
    const { id } = await boughtAt('2027-12-31T20:30:00Z');
    const taken: string[] = [];
    const hourly = Date.parse('2027-12-31T20:30:00Z');
    for (let hours = 1; taken.length < 13; hours += 6) {
      const now = new Date(hourly + hours * HOUR_MS);
      const before = await renewsAt();
      await run(now);
      const entries = await rents();
      if (entries.length - 1 > taken.length) taken.push(before ?? '');
    }
    // 15:30 in New York: UTC-5 in winter and UTC-4 in summer, on the last day of shorter months.
    expect(taken).toEqual([
      '2028-01-31T20:30:00.000Z',
      '2028-02-29T20:30:00.000Z',
      '2028-03-31T19:30:00.000Z',
      '2028-04-30T19:30:00.000Z',
      '2028-05-31T19:30:00.000Z',
      '2028-06-30T19:30:00.000Z',
      '2028-07-31T19:30:00.000Z',
      '2028-08-31T19:30:00.000Z',
      '2028-09-30T19:30:00.000Z',
      '2028-10-31T19:30:00.000Z',
      '2028-11-30T20:30:00.000Z',
      '2028-12-31T20:30:00.000Z',
      '2029-01-31T20:30:00.000Z',
    ]);
    expect(await renewsAt()).toBe('2029-02-28T20:30:00.000Z');
    expect(await rents()).toEqual(
      Array.from({ length: 14 }, (_, n) => ({ amount: -50, source_id: `${id}:${n + 1}`, kind: 'number_rent' })),
    );
    expect(await balance()).toEqual({ balance: 1_253 - 14 * 50, frozen: 0 });
  }, 120_000);

  it('falls on the hour after one that daylight-saving time leaves out, and back', async () => {
    await boughtAt('2028-02-12T07:30:00Z');
    expect(await renewsAt()).toBe('2028-03-12T07:30:00.000Z');
    await run(new Date('2028-03-12T07:30:00Z'));
    expect(await renewsAt()).toBe('2028-04-12T06:30:00.000Z');
  });

  it('is not taken a moment before it is due', async () => {
    await boughtAt('2027-01-10T15:00:00Z');
    await run(new Date('2027-02-10T14:59:59Z'));
    expect(await rents()).toHaveLength(1);
    await run(new Date('2027-02-10T15:00:00Z'));
    expect(await rents()).toHaveLength(2);
  });

  it('is taken once by several workers at the same moment', async () => {
    const other = await createTestCore(scene.bed.config());
    try {
      await boughtAt('2027-01-10T15:00:00Z');
      const now = new Date('2027-02-10T16:00:00Z');
      await Promise.all(Array.from({ length: 8 }, (_, n) => run(now, n % 2 ? other : scene.core)));
      expect(await rents()).toHaveLength(2);
      expect(await balance()).toEqual({ balance: 153, frozen: 0 });
    } finally {
      await other.close();
    }
  });

  it('is taken for every month that no worker has looked at', async () => {
    await boughtAt('2027-01-10T15:00:00Z');
    await run(new Date('2027-04-11T00:00:00Z'));
    expect([await rents(), await renewsAt()]).toMatchObject([{ length: 4 }, '2027-05-10T14:00:00.000Z']);
  });

  it.each([
    ['post', Credits],
    ['paid', NumbersRepository],
  ] as const)('is taken later when a worker is killed at %s', async (method, part) => {
    await boughtAt('2027-01-10T15:00:00Z');
    jest.spyOn(scene.core.get<object>(part), method as never).mockRejectedValueOnce(new Error('killed') as never);
    const now = new Date('2027-02-10T16:00:00Z');
    await run(now);
    expect([await rents(), await balance()]).toMatchObject([{ length: 1 }, { balance: 203 }]);
    await run(now);
    expect([await rents(), await balance()]).toMatchObject([{ length: 2 }, { balance: 153 }]);
  });

  it('costs nothing where numbers are free, and the months go on', async () => {
    const { id } = await boughtAt('2027-01-10T15:00:00Z');
    await sql('DELETE FROM ledger_entries WHERE source_id = $1', `${id}:1`);
    await sql(
      'UPDATE credit_accounts SET balance = 253, used = 0, ledger_count = 2 WHERE account_id = $1',
      scene.account.id,
    );
    await sql('UPDATE numbers SET credits_per_month = 0 WHERE id = $1', id);
    await run(new Date('2027-02-10T16:00:00Z'));
    expect([await rents(), await renewsAt()]).toEqual([[], '2027-03-10T15:00:00.000Z']);
  });

  describe('with too little balance', () => {
    it('leaves the number working for 7 days, tells the owner on days 0, 3 and 6, and then releases it', async () => {
      await listen();
      const { number, due } = await poor();
      await run(due);
      expect(await rows()).toMatchObject([{ status: 'past_due', past_due_at: due }]);
      for (let hours = 1; hours < 7 * 24; hours += 5) {
        await run(new Date(due.getTime() + hours * HOUR_MS));
        expect(await rows()).toMatchObject([{ status: 'past_due' }]);
      }
      expect(sold()).toContain(number);
      expect((await mails()).map(({ content }) => content.day)).toEqual([0, 3, 6]);
      await run(after(due, 7));
      expect(sold()).not.toContain(number);
      expect(await rows()).toMatchObject([{ status: 'released', release_reason: 'unpaid' }]);
      const told = (await events()).map(({ type, data: { day, reason } }) => [type, day ?? reason]);
      expect(told).toEqual([
        ['number.active', undefined],
        ['number.past_due', 0],
        ['number.past_due', 3],
        ['number.past_due', 6],
        ['number.released', 'unpaid'],
      ]);
      expect((await mails()).map(({ kind }) => kind)).toEqual([...Array(3).fill('number_past_due'), 'number_released']);
      expect([await balance(), await rents()]).toMatchObject([{ balance: 0, frozen: 0 }, { length: 1 }]);
    });

    it('is released when its days are over, also if a worker has looked at it a moment before', async () => {
      const { due } = await poor();
      await run(due);
      for (const days of [6.9, 6.99, 7]) await run(after(due, days));
      expect(await rows()).toMatchObject([{ status: 'released' }]);
    });

    it('tells the owner once of the days that no worker has looked at', async () => {
      const { due } = await poor();
      await run(due);
      await run(after(due, 6.5));
      await run(after(due, 6.6));
      expect((await mails()).map(({ content }) => content.day)).toEqual([0, 6]);
    });

    it('begins the days when a worker first looks, so that none are missed', async () => {
      const { due } = await poor();
      await run(after(due, 20));
      expect(await rows()).toMatchObject([{ status: 'past_due', past_due_at: after(due, 20) }]);
    });

    it('is paid when credits come, and gives no days for nothing', async () => {
      await listen();
      const { due } = await poor();
      await run(due);
      await adjustCredits(scene.core, scene.account.email, 49, 'test');
      await scene.core.get(NumberRent).creditsAdded(scene.account.id, after(due, 2));
      expect(await rows()).toMatchObject([{ status: 'past_due' }]);
      await adjustCredits(scene.core, scene.account.email, 1, 'test');
      await scene.core.get(NumberRent).creditsAdded(scene.account.id, after(due, 2));
      expect(await rows()).toMatchObject([{ status: 'active', past_due_at: null, past_due_notices: 0 }]);
      expect([await balance(), await renewsAt()]).toEqual([{ balance: 0, frozen: 0 }, '2027-03-10T15:00:00.000Z']);
      expect((await events()).map(({ type }) => type)).toEqual(['number.active', 'number.past_due', 'number.active']);
      await run(new Date('2027-03-10T15:00:00Z'));
      expect((await mails()).map(({ content }) => content.day)).toEqual([0, 0]);
    });

    it('is paid within the hour when credits come otherwise', async () => {
      const { due } = await poor();
      await run(due);
      await adjustCredits(scene.core, scene.account.email, 50, 'test');
      await run(new Date(due.getTime() + HOUR_MS));
      expect(await rows()).toMatchObject([{ status: 'active' }]);
    });

    it('releases at once when the owner does not want to renew', async () => {
      const { id, due } = await poor();
      await run(due);
      const publicId = `num_${id.replaceAll('-', '')}`;
      await scene.core.get(Numbers).change(scene.account.id, publicId, { autoRenew: false }, byOwner);
      await run(after(due, 1));
      expect(await rows()).toMatchObject([{ status: 'released', release_reason: 'not_renewed' }]);
    });
  });

  it('ends with the last month that was paid, without auto_renew', async () => {
    await listen();
    const { id, number } = await boughtAt('2027-01-10T15:00:00Z');
    const publicId = `num_${id.replaceAll('-', '')}`;
    const view = await scene.core.get(Numbers).change(scene.account.id, publicId, { autoRenew: false }, byOwner);
    expect(view).toMatchObject({ auto_renew: false, releases_at: '2027-02-10T15:00:00.000Z' });
    await run(new Date('2027-02-10T14:59:00Z'));
    expect(sold()).toContain(number);
    await run(new Date('2027-02-10T15:00:00Z'));
    expect(await rows()).toMatchObject([{ status: 'released', release_reason: 'not_renewed' }]);
    expect([sold().includes(number), await rents()]).toMatchObject([false, { length: 1 }]);
    expect((await mails()).map(({ kind }) => kind)).toEqual(['number_releasing', 'number_released']);
  });

  describe('while a dispute has frozen credits', () => {
    const dispute = async (status: 'open' | 'won' | 'lost') => {
      const [payment] = await scene.bed.database.sql<{ card_payment_id: string }>(
        'SELECT card_payment_id FROM payments WHERE account_id = $1',
        [scene.account.id],
      );
      const cardPaymentId = payment?.card_payment_id ?? '';
      const about = { disputeId: `du_${cardPaymentId}`, cardPaymentId, amountCents: 1_000, reason: 'fraudulent' };
      await scene.core.get(PaymentEvents).handle({ kind: 'disputed', dispute: { ...about, status } });
    };
    const disputed = async () => {
      const bought = await boughtAt('2027-01-10T15:00:00Z');
      await dispute('open');
      // 3 credits are not from the payment.
      expect(await balance()).toMatchObject({ balance: 203, frozen: 203 });
      const due = new Date('2027-02-10T15:00:00Z');
      await run(due);
      return { ...bought, due };
    };

    it('nothing is released, whatever time has passed', async () => {
      const { due } = await disputed();
      for (const days of [3, 6, 7, 8, 60]) {
        await run(after(due, days));
        expect(await rows()).toMatchObject([{ status: 'past_due' }]);
      }
      expect((await mails()).map(({ content }) => content.day)).toEqual([0, 3, 6]);
    });

    it('that is won, the rent is taken from them', async () => {
      const { due } = await disputed();
      await run(after(due, 8));
      await dispute('won');
      await scene.core.get(NumberRent).creditsAdded(scene.account.id, after(due, 9));
      expect([await rows(), await balance()]).toMatchObject([[{ status: 'active' }], { balance: 153, frozen: 0 }]);
    });

    it('that is lost, the number is released', async () => {
      const { due, number } = await disputed();
      await run(after(due, 8));
      await dispute('lost');
      await run(after(due, 9));
      expect([await rows(), sold().includes(number)]).toMatchObject([[{ status: 'released' }], false]);
    });

    it('the owner cannot release, and a number that is not renewed waits', async () => {
      const { id, number } = await boughtAt('2027-01-10T15:00:00Z');
      await dispute('open');
      const publicId = `num_${id.replaceAll('-', '')}`;
      const release = () => scene.core.get(Numbers).release(scene.account.id, publicId, byOwner);
      await expect(release()).rejects.toMatchObject({ code: 'number_release_blocked' });
      await scene.core.get(Numbers).change(scene.account.id, publicId, { autoRenew: false }, byOwner);
      await run(new Date('2027-02-10T15:00:00Z'));
      expect([await rows(), sold().includes(number)]).toMatchObject([[{ status: 'active' }], true]);
      await dispute('won');
      expect(await release()).toMatchObject({ status: 'released' });
    });
  });
});
