import { randomUUID } from 'node:crypto';
import { purchaseScene } from './testing/purchase-scene.js';
import { packs } from '#contract/packs.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { logLines } from '../testing/log-lines.js';
import { moneyOf } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestCore } from '../testing/test-core.js';
import { Checkouts } from './checkouts.js';
import { PaymentEvents } from './payment-events.js';
import { Payments } from './payments.js';

describe('buying credits', () => {
  const scene = purchaseScene();
  const { open, tell, tellPaid, refund, refundState, settle, money, entries, payments, flag } = scene;

  describe('opening a checkout', () => {
    it.each(packs)('charges the price of $title and stores what is bought', async ({ id, credits, priceCents }) => {
      const sessionId = await open(id);
      expect(scene.core.cardPayments.opened.at(-1)).toMatchObject({
        accountId: scene.account.id,
        email: scene.account.email,
        priceId: `price_${id}`,
        paidUrl: `https://pennytext.test/dashboard?transaction=success&credits=${credits}&session_id={SESSION_ID}`,
        cancelledUrl: 'https://pennytext.test/dashboard?transaction=canceled',
      });
      const rows = await scene.bed.database.sql('SELECT * FROM checkout_sessions WHERE session_id = $1', [sessionId]);
      expect(rows).toMatchObject([
        { account_id: scene.account.id, pack: id, credits, amount_cents: priceCents, status: 'open' },
      ]);
      expect(await money()).toMatchObject({ balance: 3, entries: 1 });
    });

    it('selects the pack by its price id', async () => {
      const { sessionId } = await scene.core.get(Checkouts).open({ accountId: scene.account.id, priceId: 'price_pro' });
      expect(await settle(sessionId)).toEqual({ status: 'pending', credits: 1_000 });
    });

    it('opens one session per idempotency key, account and pack', async () => {
      const start = (of: TestAccount, pack: 'basic' | 'pro') =>
        scene.core.get(Checkouts).open({ accountId: of.id, pack, idempotencyKey: 'click' });
      const [first, second] = [await start(scene.account, 'basic'), await start(scene.account, 'basic')];
      expect(second).toEqual(first);
      const others = [await start(scene.account, 'pro'), await start(await createTestAccount(scene.core), 'basic')];
      expect(new Set([first, ...others].map(({ sessionId }) => sessionId)).size).toBe(3);
    });

    it.each([
      ['an unknown price', { priceId: 'price_other' }],
      ['a pack with another pack’s price', { pack: 'basic' as const, priceId: 'price_pro' }],
      ['a pack with a different number of credits', { pack: 'basic' as const, credits: 2_500 }],
    ])('rejects %s', async (_title, purchase) => {
      await expect(scene.core.get(Checkouts).open({ accountId: scene.account.id, ...purchase })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    });

    it.each([
      ['amount', { amountCents: 999 }],
      ['currency', { currency: 'eur' }],
    ])('rejects a misconfigured price (%s) before anyone can pay it', async (_title, wrong) => {
      const lines = logLines(scene.core);
      const { cardPayments } = scene.core;
      const opening = cardPayments.open.bind(cardPayments);
      jest.spyOn(cardPayments, 'open').mockImplementation(async (asked) => ({ ...(await opening(asked)), ...wrong }));
      await expect(open()).rejects.toMatchObject({ code: 'checkout_failed' });
      expect(lines).toMatchObject([{ text: 'price of the pack is misconfigured', data: wrong }]);
      expect(
        await scene.bed.database.sql('SELECT 1 FROM checkout_sessions WHERE account_id = $1', [scene.account.id]),
      ).toEqual([]);
    });
  });

  describe('a paid checkout', () => {
    it('adds the credits, a ledger entry and a billing record with its receipt', async () => {
      const sessionId = await open();
      await tellPaid(scene.core.cardPayments.pay(sessionId));
      expect(await money()).toMatchObject({ balance: 253, purchased: 253, used: 0 });
      expect(await entries('purchase')).toEqual([{ amount: 250, source_id: sessionId }]);
      expect(await payments()).toMatchObject([
        {
          session_id: sessionId,
          amount_cents: 1_000,
          credits: 250,
          method: 'Stripe Payment',
          receipt_url: `https://pay.test/receipts/${sessionId}`,
        },
      ]);
      const mails = await scene.bed.database.sql('SELECT kind, recipient, content FROM mails WHERE source_id = $1', [
        sessionId,
      ]);
      expect(mails).toMatchObject([
        { kind: 'receipt', recipient: scene.account.email, content: { credits: 250, amountCents: 1_000 } },
      ]);
      expect(await settle(sessionId)).toEqual({ status: 'paid', credits: 250 });
    });

    it('is credited by the returning page when the event has not arrived', async () => {
      const sessionId = await open();
      expect(await settle(sessionId)).toEqual({ status: 'pending', credits: 250 });
      scene.core.cardPayments.pay(sessionId);
      expect(await settle(sessionId)).toEqual({ status: 'paid', credits: 250 });
      expect(await money()).toMatchObject({ balance: 253 });
    });

    it('is credited without its receipt while the provider is unavailable', async () => {
      const sessionId = await open();
      const told = scene.core.cardPayments.pay(sessionId);
      scene.core.cardPayments.deaf = true;
      await tellPaid(told);
      expect(await payments()).toMatchObject([{ session_id: sessionId, receipt_url: null }]);
    });

    it('is credited once by 200 concurrent events and returning pages in any order', async () => {
      const sessionId = await open();
      const session = scene.core.cardPayments.pay(sessionId);
      const second = await createTestCore(scene.bed.config());
      try {
        const news = Array.from({ length: 200 }, (_, n) =>
          n % 3 === 0
            ? settle(sessionId)
            : (n % 2 ? scene.core : second)
                .get(PaymentEvents)
                .handle(
                  n % 5 === 0
                    ? { kind: 'session_failed', sessionId }
                    : { kind: 'session', session: n % 7 === 0 ? { ...session, state: 'open' } : session },
                ),
        );
        await Promise.all(news);
      } finally {
        await second.close();
      }
      expect(await entries('purchase')).toEqual([{ amount: 250, source_id: sessionId }]);
      expect(await payments()).toHaveLength(1);
      expect(await money()).toMatchObject({ balance: 253 });
      expect(await settle(sessionId)).toEqual({ status: 'paid', credits: 250 });
    });

    it.each([
      ['of another amount', { amountCents: 1 }, 'the amount differs from the checkout'],
      ['without an amount', { amountCents: null }, 'the amount differs from the checkout'],
      ['in another currency', { currency: 'eur' }, 'the currency is not usd'],
      ['opened for another account', { accountId: 'other' }, 'the account differs from the checkout'],
      ['that we never opened', { sessionId: 'cs_test_forged' }, 'the checkout is unknown'],
    ])('%s adds nothing and is logged', async (_title, wrong, mismatch) => {
      const sessionId = await open();
      const session = scene.core.cardPayments.pay(sessionId, wrong);
      const lines = logLines(scene.core);
      await tellPaid(session);
      expect(lines).toMatchObject([{ text: 'paid checkout refused: nothing credited', data: { mismatch } }]);
      expect(await money()).toMatchObject({ balance: 3, entries: 1 });
      expect(await payments()).toEqual([]);
    });

    it('adds nothing when the stored checkout does not have the pack’s price', async () => {
      const sessionId = await open('enterprise');
      await scene.bed.database.sql('UPDATE checkout_sessions SET amount_cents = 1 WHERE session_id = $1', [sessionId]);
      const lines = logLines(scene.core);
      await tellPaid(scene.core.cardPayments.pay(sessionId, { amountCents: 1 }));
      expect(lines).toMatchObject([{ data: { mismatch: 'the amount differs from the price of the pack' } }]);
      expect(await money()).toMatchObject({ balance: 3 });
      expect(await settle(sessionId)).toEqual({ status: 'failed', credits: 2_500 });
    });

    it('of another account is not found, adds nothing, and is logged', async () => {
      const thief = await createTestAccount(scene.core, { credits: 3 });
      const sessionId = await open();
      scene.core.cardPayments.pay(sessionId);
      const lines = logLines(scene.core);
      await expect(settle(sessionId, thief)).rejects.toMatchObject({ code: 'checkout_not_found' });
      await expect(settle('cs_test_nowhere')).rejects.toMatchObject({ code: 'checkout_not_found' });
      expect(lines.map(({ text }) => text)).toEqual(Array(2).fill('checkout of another account requested'));
      expect(await money()).toMatchObject({ balance: 3 });
      expect(await moneyOf(scene.bed.database, thief.id)).toMatchObject({ balance: 3, entries: 1 });
    });
  });

  describe('an unpaid checkout', () => {
    it('that the bank declined has failed, and is still credited if it is paid later', async () => {
      const sessionId = await open();
      await tell({ kind: 'session_failed', sessionId });
      expect(await settle(sessionId)).toEqual({ status: 'failed', credits: 250 });
      await tellPaid(scene.core.cardPayments.pay(sessionId));
      await tell({ kind: 'session_failed', sessionId });
      expect(await settle(sessionId)).toEqual({ status: 'paid', credits: 250 });
    });

    it('that has expired has failed', async () => {
      const sessionId = await open();
      scene.core.cardPayments.change(sessionId, { state: 'failed' });
      expect(await settle(sessionId)).toEqual({ status: 'failed', credits: 250 });
    });

    it('has no status while the provider is unavailable', async () => {
      const sessionId = await open();
      scene.core.cardPayments.deaf = true;
      await expect(settle(sessionId)).rejects.not.toBeInstanceOf(DomainError);
    });
  });

  describe('a refund', () => {
    const buy = async (): Promise<string> => {
      const sessionId = await open();
      await tellPaid(scene.core.cardPayments.pay(sessionId));
      return sessionId;
    };

    it('takes the credits back, once', async () => {
      const sessionId = await buy();
      await Promise.all(Array.from({ length: 20 }, () => refund(sessionId, 1_000)));
      expect(await entries('chargeback')).toEqual([{ amount: -250, source_id: `${sessionId}:1000` }]);
      expect(await money()).toMatchObject({ balance: 3, purchased: 3, used: 0 });
      expect(await payments()).toMatchObject([{ refunded_cents: 1_000, credits_reversed: 250 }]);
      expect(await flag()).toBeNull();
    });

    it('in parts takes back each part once, even when the events arrive out of order', async () => {
      const sessionId = await buy();
      await refund(sessionId, 333);
      expect(await money()).toMatchObject({ balance: 3 + 250 - 83 });
      await refund(sessionId, 999);
      await refund(sessionId, 333);
      await refund(sessionId, 999);
      expect(await money()).toMatchObject({ balance: 3 + 250 - 249 });
      await refund(sessionId, 1_000);
      expect(await money()).toMatchObject({ balance: 3 });
      expect(await entries('chargeback')).toHaveLength(3);
    });

    it('of spent credits takes back the rest and flags the account', async () => {
      const sessionId = await buy();
      await scene.bed.database.sql(
        `WITH spent AS (UPDATE credit_accounts SET balance = 53, used = 200, ledger_count = ledger_count + 1
           WHERE account_id = $1 RETURNING ledger_count)
         INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
         SELECT $1, ledger_count, -200, 53, 'inbound', $2 FROM spent`,
        [scene.account.id, `spent ${sessionId}`],
      );
      await refund(sessionId, 1_000);
      await refund(sessionId, 1_000);
      expect(await money()).toMatchObject({ balance: 0, purchased: 200, used: 200 });
      expect(await flag()).toBe(`Payment ${sessionId} was refunded, but 197 of its credits are spent.`);
    });

    it('that arrives before its payment is applied when the payment arrives', async () => {
      const sessionId = await open();
      await refund(sessionId, 500);
      expect(await money()).toMatchObject({ balance: 3 });
      await tellPaid(scene.core.cardPayments.pay(sessionId));
      expect(await money()).toMatchObject({ balance: 3 + 125 });
    });

    it('concurrent with its payment is applied once', async () => {
      const sessionId = await open();
      const session = scene.core.cardPayments.pay(sessionId);
      await Promise.all(
        Array.from({ length: 40 }, (_, n) => (n % 2 ? tellPaid(session) : refund(sessionId, n < 20 ? 500 : 1_000))),
      );
      expect(await money()).toMatchObject({ balance: 3 });
    });

    it('of more than was paid takes back no more than was bought', async () => {
      const sessionId = await buy();
      await refund(sessionId, 5_000);
      expect(await money()).toMatchObject({ balance: 3 });
    });

    describe('that fails', () => {
      const spend = (credits: number) =>
        scene.core.get(Postgres).transaction(async (tx) => {
          const posting = { accountId: scene.account.id, kind: 'inbound', sourceId: randomUUID() } as const;
          await scene.core.get(Credits).post(tx, [{ ...posting, amount: -credits }]);
        });
      const refunded = async () => (await scene.core.get(Payments).page(scene.account.id, 1)).records[0]?.refunded;

      it('gives its credits back once, and billing shows no refund', async () => {
        const sessionId = await buy();
        await refund(sessionId, 1_000);
        await refundState(sessionId, 'a', 1_000, false);
        expect(await money()).toMatchObject({ balance: 3, purchased: 3 });
        expect(await refunded()).toBe('$10');
        await Promise.all(Array.from({ length: 20 }, () => refundState(sessionId, 'a', 1_000, true)));
        expect(await money()).toMatchObject({ balance: 253, purchased: 253 });
        expect(await entries('chargeback')).toEqual([
          { amount: -250, source_id: `${sessionId}:1000` },
          { amount: 250, source_id: `${sessionId}:0:1000` },
        ]);
        expect(await refunded()).toBeNull();
      });

      it('moves nothing when it is known before the refund, the payment or both', async () => {
        const sessionId = await buy();
        await refundState(sessionId, 'a', 1_000, true);
        await refund(sessionId, 1_000);
        await refundState(sessionId, 'a', 1_000, false);
        expect(await money()).toMatchObject({ balance: 253, entries: 2 });
        const second = await open();
        await refund(second, 1_000);
        await refundState(second, 'a', 1_000, true);
        await tellPaid(scene.core.cardPayments.pay(second));
        expect(await money()).toMatchObject({ balance: 503, entries: 3 });
        expect(await refunded()).toBeNull();
      });

      it('leaves other refunds and later ones as they are', async () => {
        const sessionId = await buy();
        await refund(sessionId, 400);
        await refund(sessionId, 1_000);
        await refundState(sessionId, 'b', 600, true);
        expect(await money()).toMatchObject({ balance: 3 + 150 });
        expect(await refunded()).toBe('$4');
        await refundState(sessionId, 'a', 400, true);
        expect(await money()).toMatchObject({ balance: 253 });
        await refundState(sessionId, 'c', 1_000, false);
        await refund(sessionId, 1_000);
        expect(await money()).toMatchObject({ balance: 3 });
        expect(await refunded()).toBe('$10');
      });

      it('gives back what was taken, not what was spent before, and clears the flag', async () => {
        const sessionId = await buy();
        await spend(200);
        await refund(sessionId, 1_000);
        expect(await money()).toMatchObject({ balance: 0, purchased: 200 });
        expect(await flag()).toBe(`Payment ${sessionId} was refunded, but 197 of its credits are spent.`);
        await refundState(sessionId, 'a', 1_000, true);
        expect(await money()).toMatchObject({ balance: 53, purchased: 253 });
        expect(await flag()).toBeNull();
      });

      it('ends as if there was none, in any order of its events', async () => {
        const sessionId = await open();
        const session = scene.core.cardPayments.pay(sessionId);
        await Promise.all(
          Array.from({ length: 10 }, () => [
            tellPaid(session),
            refund(sessionId, 1_000),
            refundState(sessionId, 'a', 1_000, false),
            refundState(sessionId, 'a', 1_000, true),
          ]).flat(),
        );
        expect(await money()).toMatchObject({ balance: 253, purchased: 253 });
      });

      it('of disputed credits freezes what it gives back', async () => {
        const sessionId = await buy();
        const dispute = { disputeId: 'du_r', cardPaymentId: `pi_${sessionId}`, reason: 'duplicate' };
        await refund(sessionId, 1_000);
        await tell({ kind: 'disputed', dispute: { ...dispute, amountCents: 1_000, status: 'open' } });
        await refundState(sessionId, 'a', 1_000, true);
        expect(await scene.core.get(Credits).balanceOf(scene.account.id)).toMatchObject({ balance: 253, frozen: 250 });
      });
    });

    it('of an unknown payment changes nothing', async () => {
      await refund('another shop', 1_000);
      expect(await money()).toMatchObject({ balance: 3 });
    });
  });

  it('lists 10 payments per page, newest first, in New York time, and never an empty page', async () => {
    for (let n = 0; n < 11; n += 1)
      await tellPaid(scene.core.cardPayments.pay(await open(n === 10 ? 'starter' : 'basic')));
    await scene.bed.database.sql(`UPDATE payments SET created_at = '2026-11-21T03:04:05Z' WHERE account_id = $1`, [
      scene.account.id,
    ]);
    const list = scene.core.get(Payments);
    const first = await list.page(scene.account.id, 1);
    expect(first).toMatchObject({ page: 1, pages: 2 });
    expect(first.records).toHaveLength(10);
    expect(first.records[0]).toEqual({
      date: '11/20/2026, 10:04:05 PM',
      amount: '$3',
      credits: 50,
      method: 'Stripe Payment',
      refunded: null,
      receiptUrl: expect.stringContaining('https://pay.test/'),
    });
    const last = await list.page(scene.account.id, 2);
    expect(last.records).toHaveLength(1);
    expect(await list.page(scene.account.id, 99)).toEqual(last);
    const other = await createTestAccount(scene.core);
    expect(await list.page(other.id, 1)).toEqual({ records: [], page: 1, pages: 1 });
  });
});
