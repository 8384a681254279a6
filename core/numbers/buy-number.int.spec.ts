import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '#contract/limits.js';
import { AccountErasure } from '../accounts/account-erasure.js';
import { Accounts } from '../accounts/accounts.js';
import { Credits } from '../credits/credits.js';
import { NamedKeys } from '../keys/named-keys.js';
import { Acceptance } from '../messages/send/acceptance.js';
import type { DomainError } from '../platform/errors/domain-error.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { publicNumberId } from '../rules/ids.js';
import { acceptanceRow } from '../testing/acceptance-rows.js';
import { eventually } from '../testing/eventually.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestCore } from '../testing/test-core.js';
import { NumberRent } from './number-rent.js';
import { Numbers } from './numbers.js';
import { OrderOutcomes } from './order-outcomes.js';
import { ReconcileNumbers } from './reconcile-numbers.js';
import { SettleDueOrders } from './settle-due-orders.js';
import { byOwner, newNumber, numberScene } from './testing/number-scene.js';

const LATER = () => new Date(Date.now() + 3_600_000);

describe('BuyNumber', () => {
  const scene = numberScene({ CARRIER_TIMEOUT_MS: '1000', DISPATCH_LEASE_SECONDS: '3' });
  const { buy, balance, rents, rows, orders, sold, newAccount } = scene;
  const refusal = (code: string) => expect.objectContaining({ code });
  const settleLater = async (now = LATER()) => {
    await scene.bed.database.sql('UPDATE number_orders SET due_at = now() WHERE due_at IS NOT NULL');
    return scene.core.get(SettleDueOrders).run(now);
  };

  it('takes the first month when the carrier confirms, and gives the account the number', async () => {
    const number = newNumber();
    await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, 'https://example.com/hook');
    await scene.core.get(WebhookEndpoints).setEvents(scene.account.id, ['number.active']);
    const bought = await buy({ number, label: 'Support' });
    expect(bought).toMatchObject({ number, status: 'active', credits: 50, balance: 203, replayed: false });
    const [row] = await rows();
    expect(row).toMatchObject({ id: bought.id, status: 'active', type: 'local', country: 'US', label: 'Support' });
    expect(await rents()).toEqual([{ amount: -50, source_id: `${bought.id}:1`, kind: 'number_rent' }]);
    expect(await balance()).toEqual({ balance: 203, frozen: 0 });
    const [named] = [...scene.core.numberCarrier.sold.values()].filter((one) => one.number === number);
    expect(named?.name).toBe(`pennytext num_${bought.id.replaceAll('-', '')}`);
    const events = `SELECT body FROM webhook_deliveries WHERE account_id = $1 AND type = 'number.active'`;
    const [event] = await scene.bed.database.sql<{ body: string }>(events, [scene.account.id]);
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ data: { number, label: 'Support', status: 'active' } });
  });

  it('takes what the operator has set, a set-up price besides, and nothing where numbers are free', async () => {
    const settings = { NUMBER_CREDITS_TOLL_FREE: '70', NUMBER_CREDITS_TOLL_FREE_SETUP: '9', NUMBER_CREDITS_LOCAL: '0' };
    const dear = await createTestCore(scene.bed.config(settings));
    try {
      const { id } = await buy({ process: dear, number: '+18332345678' });
      expect(await rents()).toEqual([
        { amount: -70, source_id: `${id}:1`, kind: 'number_rent' },
        { amount: -9, source_id: id, kind: 'number_setup' },
      ]);
      expect(await buy({ process: dear })).toMatchObject({ credits: 0, balance: 253 - 79 });
    } finally {
      await dear.close();
    }
  });

  it('holds the credits while the carrier is asked, so that nothing else spends them', async () => {
    const { core, account } = scene;
    const send = (price: number) => core.get(Acceptance).decide(acceptanceRow(core, account.apiKey, { price }));
    const original = core.numberCarrier.buy.bind(core.numberCarrier);
    jest.spyOn(core.numberCarrier, 'buy').mockImplementation(async (number, name) => {
      expect(await balance()).toEqual({ balance: 253, frozen: 50 });
      expect(await send(204)).toMatchObject({ kind: 'refused', code: 'credits_frozen' });
      expect(await send(203)).toMatchObject({ kind: 'accepted' });
      return original(number, name);
    });
    expect(await buy()).toMatchObject({ balance: 0 });
  });

  it('sells one number to one of 60 accounts that buy it at once, for one charge', async () => {
    const other = await createTestCore(scene.bed.config());
    scene.core.numberCarrier.shareWith(other.numberCarrier);
    try {
      const accounts = await Promise.all(Array.from({ length: 60 }, () => newAccount()));
      const number = newNumber();
      const outcomes = await Promise.allSettled(
        accounts.map(({ id: accountId }, n) => buy({ accountId, number, process: n % 2 ? scene.core : other })),
      );
      const bought = outcomes.filter(({ status }) => status === 'fulfilled');
      const refused = outcomes
        .filter((outcome) => outcome.status === 'rejected')
        .map(({ reason }) => reason as unknown);
      expect([bought.length, refused.length]).toEqual([1, 59]);
      for (const error of refused) expect(error).toEqual(refusal('number_taken'));
      expect(sold().filter((one) => one === number)).toHaveLength(1);
      const owners = `SELECT account_id FROM numbers WHERE number = $1`;
      expect(await scene.bed.database.sql(owners, [number])).toHaveLength(1);
      const charges = await Promise.all(accounts.map(({ id }) => rents(id)));
      expect(charges.flat()).toHaveLength(1);
      const left = await Promise.all(accounts.map(({ id }) => balance(id)));
      expect(left.filter((one) => one?.balance === 253 && one.frozen === 0)).toHaveLength(59);
    } finally {
      await other.close();
    }
  });

  it('sells one number once to an account that buys it 20 times at once', async () => {
    const number = newNumber();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => buy({ number })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await rents()).toHaveLength(1);
    await expect(buy({ number })).rejects.toEqual(refusal('number_taken'));
  });

  it('names five similar numbers, of the same area first, when the number is taken', async () => {
    const capabilities = { sms: true, mms: true };
    const available = (number: string) => ({ number, country: 'US', locality: 'New York, NY', capabilities });
    const near = [newNumber(), newNumber()].map(available);
    const others = Array.from({ length: 9 }, (_, n) => available(`+1303234567${n}`));
    const search = jest.spyOn(scene.core.numberCarrier, 'search');
    search.mockImplementation(async ({ areaCode }) => (areaCode === '212' ? near : others));
    const number = newNumber();
    scene.core.numberCarrier.taken.add(number);
    const error = await buy({ number }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'number_taken', facts: { similar: expect.any(Array) } });
    const { similar } = (error as { facts: { similar: { number: string }[] } }).facts;
    expect(similar.map((one) => one.number)).toEqual([...near, ...others.slice(0, 3)].map((one) => one.number));
    expect([await balance(), await rows(), await orders()]).toEqual([{ balance: 253, frozen: 0 }, [], []]);
    expect(scene.core.numberCarrier.bought).toBe(0);
  });

  it('names them also when another customer is faster than the purchase', async () => {
    const number = newNumber();
    jest.spyOn(scene.core.numberCarrier, 'offered').mockImplementation(async () => {
      scene.core.numberCarrier.taken.add(number);
      return { sms: true, mms: true };
    });
    await expect(buy({ number })).rejects.toMatchObject({ code: 'number_taken', facts: { similar: [] } });
    expect(await orders()).toMatchObject([{ status: 'failed', reason: 'taken' }]);
    expect([await balance(), await rows()]).toEqual([{ balance: 253, frozen: 0 }, []]);
  });

  it('names none when the carrier cannot be searched', async () => {
    const number = newNumber();
    scene.core.numberCarrier.taken.add(number);
    jest.spyOn(scene.core.numberCarrier, 'search').mockRejectedValue(new Error('down'));
    await expect(buy({ number })).rejects.toMatchObject({ code: 'number_taken', facts: { similar: [] } });
  });

  describe('refuses, and changes nothing, without a call to the carrier', () => {
    afterEach(async () => {
      expect(scene.core.numberCarrier.bought).toBe(0);
      expect(await rows()).toEqual([]);
      expect(await orders()).toEqual([]);
    });

    it.each(['', '12', '+442079460000', '+19002345678', '+15005550006'])(
      '%p, which is not for sale',
      async (number) => {
        await expect(buy({ number })).rejects.toEqual(refusal('number_unsupported'));
      },
    );

    it('a number without messages, however often it is named', async () => {
      const number = newNumber();
      scene.core.numberCarrier.mute.add(number);
      for (let n = 0; n < 8; n += 1) await expect(buy({ number })).rejects.toEqual(refusal('number_unsupported'));
    });

    it('anything while the carrier cannot be asked', async () => {
      scene.core.numberCarrier.isSilent = true;
      await expect(buy()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    });

    it('a toll-free number that is in no list of the countries that share it', async () => {
      const offered = jest.spyOn(scene.core.numberCarrier, 'offered').mockResolvedValue(undefined);
      await expect(buy({ number: '+18335550177' })).rejects.toEqual(refusal('number_taken'));
      expect(offered.mock.calls.map(([{ country, type }]) => [country, type])).toEqual([
        ['US', 'toll_free'],
        ['CA', 'toll_free'],
      ]);
    });

    it('an account that is blocked, also when that happens while the carrier is asked', async () => {
      const block = () =>
        scene.bed.database.sql('UPDATE accounts SET blocked_at = now() WHERE id = $1', [scene.account.id]);
      const offered = jest.spyOn(scene.core.numberCarrier, 'offered').mockImplementation(async () => {
        await block();
        return { sms: true, mms: true };
      });
      await expect(buy()).rejects.toEqual(refusal('account_blocked'));
      expect(offered).toHaveBeenCalledTimes(1);
      await expect(buy()).rejects.toEqual(refusal('account_blocked'));
      expect(offered).toHaveBeenCalledTimes(1);
    });

    it('a sender that accounts share', async () => {
      const number = newNumber();
      const core = await createTestCore(scene.bed.config({ TWILIO_SENDERS: `+15005550006,US:${number}` }));
      try {
        await expect(buy({ number, process: core })).rejects.toEqual(refusal('number_taken'));
      } finally {
        await core.close();
      }
    });

    it('a number that an account has had within 90 days, but for that account', async () => {
      const number = newNumber();
      const other = await newAccount();
      await scene.bed.database.sql(
        `INSERT INTO numbers (
           number, account_id, origin, status, type, country, credits_per_month, released_at, rests_until
         )
         VALUES ($1, $2, 'purchase', 'released', 'local', 'US', 50, now(), now() + interval '1 minute')`,
        [number, other.id],
      );
      await expect(buy({ number })).rejects.toEqual(refusal('number_taken'));
      expect(await buy({ number, accountId: other.id })).toMatchObject({ status: 'active' });
      scene.core.numberCarrier.bought = 0;
    });

    it('an account that has never paid, or whose payments went back', async () => {
      const free = await createTestAccount(scene.core, { credits: 500 });
      await expect(buy({ accountId: free.id })).rejects.toEqual(refusal('number_needs_purchase'));
      await scene.bed.database.sql('UPDATE payments SET refunded_cents = amount_cents WHERE account_id = $1', [
        scene.account.id,
      ]);
      await expect(buy()).rejects.toEqual(refusal('number_needs_purchase'));
    });

    it('an account whose balance does not cover it', async () => {
      const send = acceptanceRow(scene.core, scene.account.apiKey, { price: 204 });
      await scene.core.get(Acceptance).decide(send);
      await expect(buy()).rejects.toEqual(refusal('insufficient_credits'));
      expect(await balance()).toEqual({ balance: 49, frozen: 0 });
    });
  });

  it('sells an account as many numbers as the operator allows', async () => {
    await scene.core.get(Accounts).change(scene.account.email, { numbersMax: 1 });
    await buy();
    await expect(buy()).rejects.toEqual(refusal('number_limit'));
    await scene.core.get(Accounts).change(scene.account.email, { numbersMax: 2 });
    await buy();
    const parallel = await Promise.allSettled([buy(), buy(), buy()]);
    expect(parallel.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await rows()).toHaveLength(2);
  });

  it('sells an account ten numbers at most, five a day', async () => {
    const { max } = await scene.core
      .get(Accounts)
      .show(scene.account.email)
      .then(({ numbersMax }) => ({ max: numbersMax }));
    expect(max).toBe(limits.numbersMaxDefault);
    await createMoney();
    const today = await Promise.allSettled(Array.from({ length: 8 }, () => buy()));
    expect(today.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.numberPurchasesPerDayMax);
    await expect(buy()).rejects.toMatchObject({ code: 'number_day_limit', retryAfterSeconds: expect.any(Number) });
    await yesterday();
    for (let n = 0; n < 5; n += 1) await buy();
    await yesterday();
    await expect(buy()).rejects.toEqual(refusal('number_limit'));
  });

  const yesterday = () =>
    scene.bed.database.sql(`UPDATE number_orders SET created_at = created_at - interval '25 hours'`);
  const createMoney = () =>
    scene.bed.database.sql(
      `WITH more AS (
         INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
         SELECT account_id, ledger_count + 1, 1000, balance + 1000, 'redeem', account_id::text FROM credit_accounts
         WHERE account_id = $1
       )
       UPDATE credit_accounts
       SET balance = balance + 1000, purchased = purchased + 1000, ledger_count = ledger_count + 1
       WHERE account_id = $1`,
      [scene.account.id],
    );

  it('calls the carrier for an account 60 times a minute at most, whatever is named', async () => {
    const number = newNumber();
    const { numberCarrier } = scene.core;
    numberCarrier.taken.add(number);
    const codes = await Promise.all(
      Array.from({ length: 90 }, () => buy({ number }).catch((error: unknown) => (error as DomainError).code)),
    );
    expect(numberCarrier.asked).toHaveLength(limits.numberSearchesPerMinuteMax);
    expect(new Set(codes)).toEqual(new Set(['number_taken', 'rate_limited']));
    await expect(buy()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
    expect(await orders()).toEqual([]);
    const other = await newAccount();
    expect(await buy({ accountId: other.id })).toMatchObject({ status: 'active' });
  });

  it('counts a number without messages that was bought after all against the day', async () => {
    scene.core.numberCarrier.faults = Array.from({ length: limits.numberPurchasesPerDayMax }, () => 'no-sms');
    for (let n = 0; n < limits.numberPurchasesPerDayMax; n += 1)
      await expect(buy()).rejects.toEqual(refusal('number_unsupported'));
    await expect(buy()).rejects.toEqual(refusal('number_day_limit'));
  });

  it('does not count another purchase that failed against the day', async () => {
    scene.core.numberCarrier.faults = ['refused', 'refused', 'refused', 'refused', 'refused', 'refused'];
    for (let n = 0; n < 6; n += 1) await expect(buy()).rejects.toEqual(refusal('number_unsupported'));
    expect(await buy()).toMatchObject({ status: 'active' });
  });

  it.each([
    ['refused', 'number_unsupported', 'refused'],
    ['unavailable', 'unavailable', 'unavailable'],
    ['no-sms', 'number_unsupported', 'not_capable'],
  ] as const)('returns the credits when the carrier answers: %s', async (fault, code, reason) => {
    scene.core.numberCarrier.faults = [fault];
    const number = newNumber();
    await expect(buy({ number })).rejects.toEqual(refusal(code));
    expect(await orders()).toMatchObject([{ status: 'failed', reason }]);
    expect([await balance(), await rows(), await rents()]).toEqual([{ balance: 253, frozen: 0 }, [], []]);
    expect(sold()).not.toContain(number);
    expect(await buy({ number })).toMatchObject({ status: 'active' });
  });

  it('gives back later a number without messages that could not be given back at once', async () => {
    const { numberCarrier } = scene.core;
    const number = newNumber();
    numberCarrier.faults = ['no-sms'];
    jest.spyOn(numberCarrier, 'release').mockRejectedValueOnce(new Error('down'));
    await expect(buy({ number })).rejects.toEqual(refusal('number_unsupported'));
    expect(sold()).toContain(number);
    expect(await scene.core.get(ReconcileNumbers).run()).toBe(1);
    expect(sold()).not.toContain(number);
  });

  describe('with the budget of a named key', () => {
    const keyOf = async (creditsPerDay: number | null, creditsPerMonth: number | null) => {
      const by = { actor: 'account', accountId: scene.account.id } as const;
      const none = { addresses: [], countries: [], messagesPerSecond: null, expiresAt: null };
      const body = { name: 'Shop', mode: 'live', scopes: ['numbers'], ...none } as const;
      const { id } = await scene.core.get(NamedKeys).create(by, {
        ...body,
        scopes: [...body.scopes],
        addresses: [],
        countries: [],
        creditsPerDay,
        creditsPerMonth,
      });
      return id;
    };
    const spent = async () => {
      const [key] = await scene.core.get(NamedKeys).list(scene.account.id);
      return [key?.spentToday, key?.spentThisMonth];
    };

    it.each([
      ['day', 99, null],
      ['month', null, 99],
    ])('counts what it costs, and refuses what exceeds the %s', async (_period, perDay, perMonth) => {
      const keyId = await keyOf(perDay, perMonth);
      await buy({ keyId });
      expect(await spent()).toEqual([50, 50]);
      await expect(buy({ keyId })).rejects.toMatchObject({ code: 'key_budget', retryAfterSeconds: expect.any(Number) });
      expect([await spent(), await rows()]).toMatchObject([[50, 50], [{}]]);
    });

    it('returns to the budget what a purchase that failed has taken', async () => {
      const keyId = await keyOf(60, 60);
      scene.core.numberCarrier.faults = ['refused'];
      await expect(buy({ keyId })).rejects.toEqual(refusal('number_unsupported'));
      expect(await spent()).toEqual([0, 0]);
      await buy({ keyId });
    });
  });

  it('undoes a release that has not taken effect, for nothing, with what the purchase asks for', async () => {
    const number = newNumber();
    const { id } = await buy({ number });
    await scene.core.get(Numbers).release(scene.account.id, publicNumberId(id), { address: '::1', isFresh: false });
    const again = { number, label: 'Again', autoRenew: false };
    expect(await buy(again)).toMatchObject({ id, status: 'active', credits: 0, replayed: false });
    expect(await rows()).toMatchObject([{ status: 'active', label: 'Again', auto_renew: false }]);
    await expect(buy(again)).rejects.toMatchObject({
      code: 'number_taken',
      detail: `Your account has ${number} already. You were not charged.`,
    });
    expect(await rents()).toHaveLength(1);
  });

  describe('with an Idempotency-Key', () => {
    it('answers the first answer again, and another body with a conflict', async () => {
      const number = newNumber();
      const request = { number, idempotencyKey: 'once' };
      const first = await buy(request);
      expect(await buy(request)).toEqual({ ...first, replayed: true });
      await expect(buy({ ...request, label: 'Other' })).rejects.toEqual(refusal('idempotency_conflict'));
      await expect(buy({ ...request, number: newNumber() })).rejects.toEqual(refusal('idempotency_conflict'));
      expect(await rents()).toHaveLength(1);
    });

    it('answers that the number is released when it was given up meanwhile', async () => {
      const request = { number: newNumber(), idempotencyKey: 'gone' };
      const { id } = await buy(request);
      await scene.core.get(Numbers).release(scene.account.id, publicNumberId(id), byOwner);
      expect(await buy(request)).toMatchObject({ id, status: 'released', renewsAt: null, replayed: true });
      expect(await rents()).toHaveLength(1);
    });

    it('buys once when the same request comes ten times at once', async () => {
      const request = { number: newNumber(), idempotencyKey: 'at once' };
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => buy(request)));
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toEqual(refusal('idempotency_in_progress'));
      expect([await rents(), scene.core.numberCarrier.bought]).toEqual([[expect.anything()], 1]);
    });

    it('answers a request that asks the carrier only after the sale as the first one', async () => {
      const request = { number: newNumber(), idempotencyKey: 'late' };
      const { numberCarrier } = scene.core;
      const offered = numberCarrier.offered.bind(numberCarrier);
      let first: Awaited<ReturnType<typeof buy>> | undefined;
      jest.spyOn(numberCarrier, 'offered').mockImplementationOnce(async (...asked) => {
        first = await buy(request);
        return offered(...asked);
      });
      const late = await buy(request);
      expect(late).toMatchObject({ id: first?.id, replayed: true });
      expect(numberCarrier.bought).toBe(1);
    });

    it('leaves a release alone that its owner has asked for since the first answer', async () => {
      const request = { number: newNumber(), idempotencyKey: 'late retry' };
      const { id } = await buy(request);
      await scene.core.get(Numbers).release(scene.account.id, publicNumberId(id), { address: '::1', isFresh: false });
      expect(await buy(request)).toMatchObject({ id, status: 'releasing', replayed: true });
      await expect(buy({ ...request, label: 'Other' })).rejects.toEqual(refusal('idempotency_conflict'));
      expect(await rows()).toMatchObject([{ status: 'releasing' }]);
    });

    it('undoes a release once, and leaves a later release alone', async () => {
      const number = newNumber();
      const { id } = await buy({ number });
      const { account, core } = scene;
      const release = () =>
        core.get(Numbers).release(account.id, publicNumberId(id), { address: '::1', isFresh: false });
      await release();
      const request = { number, label: 'Again', idempotencyKey: 'back' };
      expect(await buy(request)).toMatchObject({ id, status: 'active', credits: 0, replayed: false });
      expect(await buy(request)).toMatchObject({ id, status: 'active', credits: 0, replayed: true });
      await release();
      expect(await buy(request)).toMatchObject({ id, status: 'releasing', renewsAt: null, replayed: true });
      await expect(buy({ ...request, label: 'Other' })).rejects.toEqual(refusal('idempotency_conflict'));
      expect(await rows()).toMatchObject([{ status: 'releasing', label: 'Again' }]);
      expect(await rents()).toHaveLength(1);
    });

    it('undoes a release once for ten requests at once', async () => {
      const number = newNumber();
      const { id } = await buy({ number });
      const { account, core } = scene;
      await core.get(Numbers).release(account.id, publicNumberId(id), { address: '::1', isFresh: false });
      const request = { number, idempotencyKey: 'back at once' };
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => buy(request)));
      const first = outcomes.filter((outcome) => outcome.status === 'fulfilled' && !outcome.value.replayed);
      expect(first).toHaveLength(1);
      expect(await buy(request)).toMatchObject({ id, status: 'active', credits: 0, replayed: true });
      const undone = `SELECT FROM audit_entries WHERE account_id = $1 AND action = 'number.kept'`;
      expect(await scene.bed.database.sql(undone, [account.id])).toHaveLength(1);
    });

    it('undoes no release if what the purchase asks for cannot be set', async () => {
      const number = newNumber();
      const { id } = await buy({ number });
      const { account, core, bed } = scene;
      await core.get(Numbers).release(account.id, publicNumberId(id), { address: '::1', isFresh: false });
      await bed.database.sql(`ALTER TABLE numbers ADD CONSTRAINT no_label CHECK (label IS DISTINCT FROM 'Broken')`);
      try {
        const request = { number, label: 'Broken', idempotencyKey: 'back broken' };
        await expect(buy(request)).rejects.toThrow('no_label');
        expect(await rows()).toMatchObject([{ status: 'releasing', label: null }]);
      } finally {
        await bed.database.sql('ALTER TABLE numbers DROP CONSTRAINT no_label');
      }
      const request = { number, label: 'Whole', idempotencyKey: 'back broken' };
      expect(await buy(request)).toMatchObject({ id, status: 'active', replayed: false });
    });

    it('is decided again after a purchase that failed', async () => {
      scene.core.numberCarrier.faults = ['refused'];
      const request = { number: newNumber(), idempotencyKey: 'again' };
      await expect(buy(request)).rejects.toEqual(refusal('number_unsupported'));
      expect(await buy(request)).toMatchObject({ status: 'active', replayed: false });
    });

    it('is forgotten after a day', async () => {
      const request = { number: newNumber(), idempotencyKey: 'old' };
      await buy(request);
      await yesterday();
      await expect(buy(request)).rejects.toEqual(refusal('number_taken'));
    });
  });

  describe('after a lost answer', () => {
    it('is settled by the carrier’s list within the request', async () => {
      scene.core.numberCarrier.faults = ['lost'];
      expect(await buy()).toMatchObject({ status: 'active', balance: 203 });
      expect(scene.core.numberCarrier.bought).toBe(1);
    });

    it('is settled by a worker when the list cannot be read, and is answered as not decided', async () => {
      const { numberCarrier } = scene.core;
      numberCarrier.faults = ['lost'];
      numberCarrier.isDown = true;
      const number = newNumber();
      const bought = await buy({ number });
      expect(bought).toMatchObject({ status: 'reserving', renewsAt: null, credits: 50, balance: 253 });
      expect(await balance()).toEqual({ balance: 253, frozen: 50 });
      expect(await settleLater()).toBe(0);
      numberCarrier.isDown = false;
      expect(await settleLater()).toBe(1);
      expect([await rows(), await balance()]).toMatchObject([[{ id: bought.id, status: 'active' }], { balance: 203 }]);
      expect(await rents()).toHaveLength(1);
    });

    it('returns the credits when the carrier has not sold the number and no call is on its way any more', async () => {
      const { numberCarrier } = scene.core;
      numberCarrier.faults = ['not sold, unknown'];
      const number = newNumber();
      expect(await buy({ number })).toMatchObject({ status: 'reserving' });
      expect([await settleLater(new Date()), await balance()]).toEqual([0, { balance: 253, frozen: 50 }]);
      expect([await settleLater(), await balance()]).toEqual([1, { balance: 253, frozen: 0 }]);
      expect([await rows(), await orders()]).toMatchObject([[], [{ status: 'failed', reason: 'not_sold' }]]);
    });

    it('gives back what the carrier sells after that, and leaves numbers alone that others have bought', async () => {
      const { numberCarrier } = scene.core;
      numberCarrier.faults = ['not sold, unknown'];
      const number = newNumber();
      const { id } = await buy({ number });
      await settleLater();
      const capabilities = { sms: true, mms: true };
      const late = { carrierId: 'PNlate', number, name: `pennytext num_${id.replaceAll('-', '')}`, capabilities };
      numberCarrier.sold.set('PNlate', late);
      const foreign = ['(212) 555-0143', `pennytext num_${'0'.repeat(32)}`];
      foreign.forEach((name, n) => numberCarrier.sold.set(`PN${n}`, { ...late, carrierId: `PN${n}`, name }));
      const mine = await buy();
      expect(await scene.core.get(ReconcileNumbers).run()).toBe(1);
      expect([...numberCarrier.sold.keys()]).toEqual(expect.arrayContaining(['PN0', 'PN1']));
      expect(sold()).toContain(mine.number);
      expect(numberCarrier.sold.has('PNlate')).toBe(false);
      for (const carrierId of ['PN0', 'PN1']) numberCarrier.sold.delete(carrierId);
    });
  });

  describe('killed', () => {
    const killed = new Error('killed');
    const recover = async () => {
      jest.restoreAllMocks();
      await settleLater();
      await scene.core.get(ReconcileNumbers).run();
    };
    /** The number has both a sale and an owner, or neither. */
    const expectOneOrNone = async (number: string, count: 0 | 1) => {
      expect(sold().filter((one) => one === number)).toHaveLength(count);
      expect(await rows()).toHaveLength(count);
      expect(await rents()).toHaveLength(count);
      expect(await balance()).toEqual({ balance: count === 1 ? 203 : 253, frozen: 0 });
    };

    it.each([
      ['while it holds the credits', Credits, 'hold'],
      ['while it charges the budget', NamedKeys, 'charge'],
    ] as const)('%s, leaves nothing', async (_title, part, method) => {
      jest.spyOn(scene.core.get<object>(part), method as never).mockRejectedValue(killed as never);
      const number = newNumber();
      await expect(buy({ number, keyId: scene.account.id })).rejects.toBe(killed);
      expect(scene.core.numberCarrier.bought).toBe(0);
      await recover();
      await expectOneOrNone(number, 0);
    });

    it('before the call to the carrier, returns the credits', async () => {
      jest.spyOn(scene.core.numberCarrier, 'buy').mockRejectedValue(killed);
      const number = newNumber();
      await expect(buy({ number })).rejects.toBe(killed);
      expect(await balance()).toEqual({ balance: 253, frozen: 50 });
      await recover();
      await expectOneOrNone(number, 0);
    });

    it('during the call to the carrier, keeps the number that the carrier has sold', async () => {
      const { numberCarrier } = scene.core;
      const original = numberCarrier.buy.bind(numberCarrier);
      jest.spyOn(numberCarrier, 'buy').mockImplementation(async (...call) => {
        await original(...call);
        throw killed;
      });
      const number = newNumber();
      await expect(buy({ number })).rejects.toBe(killed);
      await recover();
      await expectOneOrNone(number, 1);
    });

    it('before the purchase is confirmed, keeps the number', async () => {
      jest.spyOn(scene.core.get(OrderOutcomes), 'confirm').mockRejectedValue(killed);
      const number = newNumber();
      await expect(buy({ number })).rejects.toBe(killed);
      await recover();
      await expectOneOrNone(number, 1);
    });

    it.each(['endHold', 'post'] as const)('within the confirmation, at %s, keeps the number', async (method) => {
      jest.spyOn(scene.core.get(Credits), method).mockRejectedValue(killed);
      const number = newNumber();
      await expect(buy({ number })).rejects.toBe(killed);
      await recover();
      await expectOneOrNone(number, 1);
    });

    it('after the confirmation, has the number', async () => {
      jest.spyOn(scene.core.get(Credits), 'balanceOf').mockRejectedValue(killed);
      const number = newNumber();
      await expect(buy({ number })).rejects.toBe(killed);
      await recover();
      await expectOneOrNone(number, 1);
    });

    it('while credits return after a refusal, returns them later', async () => {
      scene.core.numberCarrier.faults = ['refused'];
      jest.spyOn(scene.core.get(OrderOutcomes), 'fail').mockRejectedValue(killed);
      const number = newNumber();
      await expect(buy({ number })).rejects.toBe(killed);
      await recover();
      await expectOneOrNone(number, 0);
    });
  });

  describe('of an account that is erased', () => {
    const erase = () => scene.core.get(AccountErasure).erase(scene.account.email, 'test');

    it('is waited for when it has begun before', async () => {
      const credits = scene.core.get(Credits);
      const original = credits.hold.bind(credits);
      let erased: Promise<unknown> | undefined;
      jest.spyOn(credits, 'hold').mockImplementation(async (...call) => {
        erased = erase().catch((error: unknown) => error);
        const closed = 'SELECT id FROM accounts WHERE id = $1 AND blocked_at IS NOT NULL';
        const isClosed = async () => (await scene.bed.database.sql(closed, [scene.account.id])).length === 1;
        await eventually('the account is closed', isClosed);
        // Without the lock the erasure would find nothing in progress now.
        await Promise.race([erased, pause(300)]);
        return original(...call);
      });
      scene.core.numberCarrier.faults = ['lost'];
      scene.core.numberCarrier.isDown = true;
      expect(await buy()).toMatchObject({ status: 'reserving' });
      expect(await erased).toEqual(refusal('account_busy'));
      scene.core.numberCarrier.isDown = false;
      expect(await settleLater()).toBe(1);
    });

    it('leaves no number with it when it is confirmed later', async () => {
      scene.core.numberCarrier.faults = ['lost'];
      scene.core.numberCarrier.isDown = true;
      const number = newNumber();
      await buy({ number });
      scene.core.numberCarrier.isDown = false;
      await scene.bed.database.sql(
        `UPDATE accounts SET blocked_at = now(), email = 'deleted-' || id || '@deleted.invalid' WHERE id = $1`,
        [scene.account.id],
      );
      expect(await settleLater()).toBe(1);
      expect(await rows()).toMatchObject([{ status: 'releasing', release_reason: 'deleted' }]);
      await scene.core.get(NumberRent).run(LATER());
      expect(await rows()).toMatchObject([{ status: 'released' }]);
      expect(sold()).not.toContain(number);
    });
  });

  it('is settled once by the request and two workers at the same moment', async () => {
    const other = await createTestCore(scene.bed.config());
    scene.core.numberCarrier.shareWith(other.numberCarrier);
    const { numberCarrier } = scene.core;
    const original = numberCarrier.buy.bind(numberCarrier);
    jest.spyOn(numberCarrier, 'buy').mockImplementation(async (...call) => {
      const outcome = await original(...call);
      await scene.bed.database.sql('UPDATE number_orders SET due_at = now() WHERE due_at IS NOT NULL');
      await Promise.all([scene.core, other].map((process) => process.get(SettleDueOrders).run()));
      return outcome;
    });
    try {
      expect(await buy()).toMatchObject({ status: 'active', balance: 203 });
      expect(await rents()).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});
