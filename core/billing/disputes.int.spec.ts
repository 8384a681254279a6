import { purchaseScene } from './testing/purchase-scene.js';
import { AuditLog } from '../audit/audit-log.js';

describe('buying credits', () => {
  const scene = purchaseScene();
  const { open, tell, tellPaid, refund, money, entries, payments, flag } = scene;

  describe('a dispute', () => {
    const buy = async (): Promise<string> => {
      const sessionId = await open();
      await tellPaid(scene.core.cardPayments.pay(sessionId));
      return sessionId;
    };
    const dispute = (sessionId: string, status: 'open' | 'won' | 'lost', changes: object = {}) =>
      tell({
        kind: 'disputed',
        dispute: {
          disputeId: `du_${sessionId}`,
          cardPaymentId: `pi_${sessionId}`,
          amountCents: 1_000,
          reason: 'fraudulent',
          status,
          ...changes,
        },
      });
    const audited = async () => {
      const log = await scene.core
        .get(AuditLog)
        .list({ accountId: scene.account.id, beforeId: undefined, entriesMax: 10 });
      return log.filter(({ actor }) => actor === 'provider').map(({ action }) => action);
    };

    it('emails the owner once, with amount and reason', async () => {
      const sessionId = await buy();
      await Promise.all([dispute(sessionId, 'open'), dispute(sessionId, 'open')]);
      await dispute(sessionId, 'lost');
      const mails = await scene.bed.database.sql(
        `SELECT content, recipient FROM mails WHERE kind = 'payment_disputed' AND account_id = $1`,
        [scene.account.id],
      );
      const content = { kind: 'payment_disputed', amountCents: 1_000, credits: 250, reason: 'fraudulent' };
      expect(mails).toEqual([{ content, recipient: scene.account.email }]);
    });

    it('flags the account and takes nothing back, even when it arrives before the payment', async () => {
      const sessionId = await open();
      await dispute(sessionId, 'open');
      expect(await flag()).toBeNull();
      await tellPaid(scene.core.cardPayments.pay(sessionId));
      expect(await flag()).toBe(`Payment ${sessionId} is disputed: fraudulent.`);
      expect(await money()).toMatchObject({ balance: 253 });
      expect(await payments()).toMatchObject([{ disputed_at: expect.any(Date) }]);
      expect(await audited()).toEqual(['account.flagged']);
    });

    it('that is lost takes the credits back once, however often and in whatever order it arrives', async () => {
      const sessionId = await buy();
      await dispute(sessionId, 'lost');
      await Promise.all(Array.from({ length: 20 }, (_, n) => dispute(sessionId, n % 2 ? 'open' : 'lost')));
      expect(await entries('chargeback')).toEqual([{ amount: -250, source_id: `${sessionId}:1000` }]);
      expect(await money()).toMatchObject({ balance: 3, purchased: 3, used: 0 });
      expect(await flag()).toBe(`Payment ${sessionId} was lost to a dispute: fraudulent.`);
      expect(await payments()).toMatchObject([{ credits_reversed: 250, disputed_at: expect.any(Date) }]);
    });

    it('that is won clears its flag and takes nothing back, even when its end arrives before its start', async () => {
      const sessionId = await buy();
      await dispute(sessionId, 'open');
      await dispute(sessionId, 'won');
      await dispute(sessionId, 'open');
      expect(await flag()).toBeNull();
      expect(await payments()).toMatchObject([{ disputed_at: null }]);
      expect(await audited()).toEqual(['account.flag_cleared', 'account.flagged']);
      const second = await buy();
      await dispute(second, 'won');
      await dispute(second, 'open');
      expect(await flag()).toBeNull();
      expect(await money()).toMatchObject({ balance: 503 });
    });

    it('that is won keeps the flags of other disputes of this or another payment', async () => {
      const [sessionId, other] = [await buy(), await buy()];
      await dispute(sessionId, 'open');
      await dispute(sessionId, 'open', { disputeId: 'du_second', amountCents: 400, reason: 'duplicate' });
      await dispute(sessionId, 'won');
      expect(await flag()).toBe(`Payment ${sessionId} is disputed: fraudulent.`);
      await dispute(other, 'open');
      await dispute(sessionId, 'won', { disputeId: 'du_second', amountCents: 400 });
      expect(await flag()).toBe(`Payment ${other} is disputed: fraudulent.`);
    });

    it('that is lost after a refund takes back no more than the payment added', async () => {
      const sessionId = await buy();
      await refund(sessionId, 400);
      await dispute(sessionId, 'lost');
      await refund(sessionId, 1_000);
      expect(await money()).toMatchObject({ balance: 3, purchased: 3 });
      const taken = (await entries('chargeback')).map(({ amount }) => Number(amount));
      expect(taken).toEqual([-100, -150]);
    });

    it('of a part that is lost takes back that part', async () => {
      const sessionId = await buy();
      await dispute(sessionId, 'lost', { amountCents: 400 });
      expect(await money()).toMatchObject({ balance: 153 });
      expect(await payments()).toMatchObject([{ refunded_cents: 400, credits_reversed: 100 }]);
    });

    it('that is lost when the credits are spent takes back the rest and flags the account', async () => {
      const sessionId = await buy();
      await scene.bed.database.sql(
        `WITH spent AS (
           UPDATE credit_accounts SET balance = 53, used = 200, ledger_count = ledger_count + 1
           WHERE account_id = $1 RETURNING ledger_count
         )
         INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
         SELECT $1, ledger_count, -200, 53, 'inbound', $2 FROM spent`,
        [scene.account.id, `spent ${sessionId}`],
      );
      await dispute(sessionId, 'lost');
      expect(await money()).toMatchObject({ balance: 0 });
      expect(await flag()).toBe(`Payment ${sessionId} was lost to a dispute, but 197 of its credits are spent.`);
    });

    it('that is lost before its payment arrives takes the credits back when it does', async () => {
      const sessionId = await open();
      await dispute(sessionId, 'lost');
      await tellPaid(scene.core.cardPayments.pay(sessionId));
      expect(await money()).toMatchObject({ balance: 3 });
      expect(await entries('chargeback')).toHaveLength(1);
    });

    it('concurrent with refunds and its payment takes the payment back once', async () => {
      const sessionId = await open();
      const session = scene.core.cardPayments.pay(sessionId);
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          n % 4 === 0
            ? tellPaid(session)
            : n % 4 === 1
              ? refund(sessionId, 1_000)
              : dispute(sessionId, n % 4 === 2 ? 'lost' : 'open'),
        ),
      );
      expect(await money()).toMatchObject({ balance: 3 });
    });
  });
});
