import { carrierNumbers } from '#contract/carrier-codes.js';
import { Credits } from '../credits/credits.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { publicNumberId } from '../rules/ids.js';
import { telnyxNumberVariables, telnyxVariables } from '../testing/telnyx-account.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { Numbers } from './numbers.js';
import { OrderOutcomes } from './order-outcomes.js';
import { ReconcileNumbers } from './reconcile-numbers.js';
import { SearchNumbers } from './search-numbers.js';
import { SettleDueOrders } from './settle-due-orders.js';
import { byOwner, newNumber, numberScene } from './testing/number-scene.js';

const DAY_MS = 86_400_000;

describe('Numbers of a carrier that decides orders later', () => {
  const scene = numberScene({
    ...telnyxNumberVariables,
    CARRIER_TIMEOUT_MS: '1000',
    DISPATCH_LEASE_SECONDS: '3',
  });
  const { buy, balance, rents, rows, orders, sold, newAccount } = scene;
  const seller = () => scene.core.numberCarrier;
  const refusal = (code: string) => expect.objectContaining({ code });
  const settle = async (now = new Date(), process = scene.core) => {
    await scene.bed.database.sql('UPDATE number_orders SET due_at = now() WHERE due_at IS NOT NULL');
    return process.get(SettleDueOrders).run(now);
  };
  const later = (ms: number) => new Date(Date.now() + ms);
  const untouched = { balance: 253, frozen: 0 };

  beforeEach(async () => {
    // Orders of the tests before.
    await settle(later(3_600_000));
    seller().orders = new Map();
  });

  /** Runs work in another process over the same database and carriers. */
  const withProcess = async (variables: Record<string, string>, work: (process: TestCore) => Promise<void>) => {
    const process = await createTestCore(scene.bed.config(variables));
    for (const carrier of process.numberCarriers)
      scene.core.numberCarriers.find((one) => one.carrier === carrier.carrier)?.shareWith(carrier);
    try {
      await work(process);
    } finally {
      await process.close();
    }
  };

  it('are bought where the setting has it, and searched there', async () => {
    expect(seller().carrier).toBe(carrierNumbers.telnyx);
    seller().available = [
      { number: newNumber(), country: 'US', locality: null, capabilities: { sms: true, mms: true } },
    ];
    const search = { country: 'US', type: 'local', limit: 1 } as const;
    expect(await scene.core.get(SearchNumbers).search(scene.account.id, search)).toHaveLength(1);
    await buy();
    expect(await orders()).toMatchObject([{ status: 'pending', carrier: carrierNumbers.telnyx }]);
    expect(scene.core.numberCarriers.map(({ carrier, bought }) => [carrier, bought])).toEqual([
      [carrierNumbers.twilio, 0],
      [carrierNumbers.telnyx, 1],
    ]);
  });

  it('are an account’s within the request when the carrier decides in time', async () => {
    const original = seller().buy.bind(seller());
    jest.spyOn(seller(), 'buy').mockImplementation(async (...call) => {
      const outcome = await original(...call);
      setTimeout(() => seller().decide(), 200);
      return outcome;
    });
    const { id } = await buy();
    expect(await rows()).toMatchObject([{ id, status: 'active', carrier: carrierNumbers.telnyx }]);
    expect([await balance(), await rents()]).toMatchObject([{ balance: 203, frozen: 0 }, [{ amount: -50 }]]);
  });

  it('wait while the order is not decided, however long, with the credits held', async () => {
    expect(await buy()).toMatchObject({ status: 'reserving', balance: 253 });
    expect([await settle(), await settle(later(30 * DAY_MS))]).toEqual([0, 0]);
    expect([await orders(), await balance()]).toMatchObject([[{ status: 'pending' }], { balance: 253, frozen: 50 }]);
    seller().decide();
    expect(await settle(later(30 * DAY_MS))).toBe(1);
    expect([await rows(), await balance(), await rents()]).toMatchObject([
      [{ status: 'active' }],
      { balance: 203, frozen: 0 },
      [{ amount: -50 }],
    ]);
  });

  it('are asked about soon after the request, then every five seconds, and ever less often', async () => {
    const original = seller().buy.bind(seller());
    jest.spyOn(seller(), 'buy').mockImplementation(async (...call) => {
      await scene.bed.database.sql(
        `UPDATE number_orders SET due_at = now() + interval '1 minute' WHERE due_at IS NOT NULL`,
      );
      return original(...call);
    });
    await buy();
    const wait = async () => {
      const [row] = await scene.bed.database.sql<{ seconds: number }>(
        `SELECT extract(epoch FROM due_at - now())::int AS seconds FROM number_orders WHERE status = 'pending'`,
      );
      return row?.seconds ?? 0;
    };
    expect(await wait()).toBeLessThanOrEqual(3);
    await settle();
    expect(await wait()).toBeGreaterThan(3);
    expect(await wait()).toBeLessThanOrEqual(5);
    await settle(later(DAY_MS));
    expect(await wait()).toBeGreaterThan(290);
  });

  it('cost nothing when the order fails: the credits return at once', async () => {
    const number = newNumber();
    await buy({ number });
    seller().decide('failure');
    expect(await settle()).toBe(1);
    expect([await rows(), await orders(), await balance(), await rents()]).toMatchObject([
      [],
      [{ status: 'failed', reason: 'not_sold' }],
      untouched,
      [],
    ]);
    expect(await buy({ number })).toMatchObject({ status: 'reserving' });
  });

  it('are refused within the request when the order fails in time', async () => {
    jest.spyOn(seller(), 'find').mockResolvedValue({ kind: 'failed', reason: 'refused' });
    await expect(buy()).rejects.toEqual(refusal('number_unsupported'));
    expect([await orders(), await balance()]).toMatchObject([[{ status: 'failed', reason: 'refused' }], untouched]);
  });

  it('are settled by the order after a lost answer, and by its absence when it never arrived', async () => {
    seller().faults = ['lost', 'not sold, unknown'];
    const arrived = await buy();
    const lost = await buy();
    seller().decide();
    expect(await settle()).toBe(1);
    expect(await settle(later(3_600_000))).toBe(1);
    expect(await rows()).toMatchObject([{ id: arrived.id, status: 'active' }]);
    expect((await orders()).find(({ id }) => id === lost.id)).toMatchObject({ status: 'failed', reason: 'not_sold' });
    expect(await balance()).toEqual({ balance: 203, frozen: 0 });
  });

  it('sell one number to one of 20 accounts that buy it at once, for one charge', async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => newAccount()));
    const number = newNumber();
    const outcomes = await Promise.allSettled(accounts.map(({ id: accountId }) => buy({ accountId, number })));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(refusal('number_taken'));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    seller().decide();
    expect(await settle()).toBe(1);
    expect(sold().filter((one) => one === number)).toHaveLength(1);
    expect(await scene.bed.database.sql('SELECT id FROM numbers WHERE number = $1', [number])).toHaveLength(1);
    const charges = await Promise.all(accounts.map(({ id }) => rents(id)));
    expect(charges.flat()).toHaveLength(1);
    const left = await Promise.all(accounts.map(({ id }) => balance(id)));
    expect(left.filter((one) => one?.balance === 253 && one.frozen === 0)).toHaveLength(19);
  });

  describe('killed', () => {
    const killed = new Error('killed');
    const recover = async () => {
      jest.restoreAllMocks();
      await settle();
      await settle(later(3_600_000));
      await scene.core.get(ReconcileNumbers).run();
    };
    /** The number has both a sale and an owner, or neither. */
    const expectOneOrNone = async (number: string, count: 0 | 1) => {
      expect(sold().filter((one) => one === number)).toHaveLength(count);
      expect(await rows()).toHaveLength(count);
      expect(await rents()).toHaveLength(count);
      expect(await balance()).toEqual(count === 1 ? { balance: 203, frozen: 0 } : untouched);
    };

    it('before the call to the carrier, return the credits', async () => {
      jest.spyOn(seller(), 'buy').mockRejectedValue(killed);
      const number = newNumber();
      await expect(buy({ number })).rejects.toBe(killed);
      await recover();
      await expectOneOrNone(number, 0);
    });

    it.each([
      ['success', 1],
      ['failure', 0],
    ] as const)('after the order is placed, which ends with %s', async (status, count) => {
      const original = seller().buy.bind(seller());
      jest.spyOn(seller(), 'buy').mockImplementation(async (...call) => {
        await original(...call);
        throw killed;
      });
      const number = newNumber();
      await expect(buy({ number })).rejects.toBe(killed);
      jest.restoreAllMocks();
      // A worker looks first while the order is pending.
      expect([await settle(), await balance()]).toEqual([0, { balance: 253, frozen: 50 }]);
      seller().decide(status);
      await recover();
      await expectOneOrNone(number, count);
    });

    it('before and within the confirmation by a worker, keep the number', async () => {
      const number = newNumber();
      await buy({ number });
      seller().decide();
      jest.spyOn(scene.core.get(OrderOutcomes), 'confirm').mockRejectedValueOnce(killed);
      expect(await settle()).toBe(0);
      jest.spyOn(scene.core.get(Credits), 'post').mockRejectedValueOnce(killed);
      expect(await settle()).toBe(0);
      await expectHeld();
      await recover();
      await expectOneOrNone(number, 1);
    });

    it('while credits return after a failed order, return them later', async () => {
      const number = newNumber();
      await buy({ number });
      seller().decide('failure');
      jest.spyOn(scene.core.get(OrderOutcomes), 'fail').mockRejectedValueOnce(killed);
      expect(await settle()).toBe(0);
      await expectHeld();
      await recover();
      await expectOneOrNone(number, 0);
    });

    const expectHeld = async () => expect(await balance()).toEqual({ balance: 253, frozen: 50 });
  });

  describe('after the setting has changed', () => {
    const [twilio, telnyx] = [carrierNumbers.twilio, carrierNumbers.telnyx];

    it('are settled and released where they were bought, and new ones bought elsewhere', async () => {
      const ordered = await buy();
      seller().decide();
      await withProcess(telnyxVariables, async (process) => {
        expect(process.numberCarrier.carrier).toBe(twilio);
        expect(await settle(new Date(), process)).toBe(1);
        const next = await buy({ process });
        expect(await rows()).toMatchObject([
          { id: ordered.id, status: 'active', carrier: telnyx },
          { id: next.id, status: 'active', carrier: twilio },
        ]);
        const released = await process.get(Numbers).release(scene.account.id, publicNumberId(ordered.id), byOwner);
        expect(released.status).toBe('released');
        expect(sold()).not.toContain(ordered.number);
        expect([...process.numberCarrier.sold.values()].map(({ number }) => number)).toEqual([next.number]);
        process.numberCarrier.sold.clear();
      });
    });

    it('wait while their carrier is not configured, and are reported as missing', async () => {
      const { id } = await buy();
      seller().decide();
      await settle();
      const pending = await buy();
      await scene.bed.database.sql(`UPDATE numbers SET activated_at = now() - interval '2 hours' WHERE id = $1`, [id]);
      await withProcess({}, async (process) => {
        expect(await settle(later(DAY_MS), process)).toBe(0);
        await process.get(ReconcileNumbers).run();
        const [missing] = (await process.get(Metrics).numbersMissing.get()).values;
        expect(missing?.value).toBeGreaterThanOrEqual(1);
        expect((await process.get(Numbers).release(scene.account.id, publicNumberId(id), byOwner)).status).toBe(
          'releasing',
        );
      });
      expect((await orders()).find((order) => order.id === pending.id)).toMatchObject({ status: 'pending' });
    });
  });

  it('are compared with their own carrier, also while the other one cannot be asked', async () => {
    const reconcile = () => scene.core.get(ReconcileNumbers).run();
    const missing = async () => (await scene.core.get(Metrics).numbersMissing.get()).values[0]?.value;
    const { id } = await buy();
    seller().decide();
    await settle();
    await scene.bed.database.sql(`UPDATE numbers SET activated_at = now() - interval '2 hours' WHERE id = $1`, [id]);
    expect([await reconcile(), await missing()]).toEqual([0, 0]);

    const capabilities = { sms: true, mms: true };
    const failed = await buy();
    seller().decide('failure');
    await settle();
    const name = `pennytext ${publicNumberId(failed.id)}`;
    seller().sold.set('late', { carrierId: 'late', number: failed.number, name, capabilities });
    const [twilio] = scene.core.numberCarriers;
    if (!twilio) throw new Error('The scene has two carriers');
    twilio.isDown = true;
    await expect(reconcile()).rejects.toThrow('down');
    expect([seller().sold.has('late'), await missing()]).toEqual([false, 0]);

    seller().sold.clear();
    await expect(reconcile()).rejects.toThrow('down');
    expect(await missing()).toBe(1);
    // A carrier that does not answer keeps the figure of its last list.
    Object.assign(twilio, { isDown: false });
    seller().isDown = true;
    await expect(reconcile()).rejects.toThrow('down');
    expect(await missing()).toBe(1);
  });
});
