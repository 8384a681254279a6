import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { packs } from '#contract/packs.js';
import { statementScene } from '../testing/core-scene.js';
import {
  frozenMismatches,
  type PaidCents,
  paidCentsStatement,
  PurchasesRepository,
  type Checkout,
  type LackingFrozen,
  type Payment,
  type Reversal,
} from './purchases.repository.js';
import { CreditRequestsRepository, type CreditRequest } from './operator-credits/credit-requests.repository.js';
import { RedeemCodesRepository, type RedeemCodeRow } from './redeem-codes.repository.js';

const checkout: z.ZodType<Checkout> = z.strictObject({
  sessionId: z.string(),
  accountId: z.uuid(),
  pack: z.enum(packs.map(({ id }) => id)),
  credits: z.int(),
  amountCents: z.int(),
  status: z.enum(['open', 'paid', 'failed']),
  paidAt: z.date().nullable(),
});
const payment: z.ZodType<Payment> = z.strictObject({
  id: z.string(),
  accountId: z.uuid(),
  sessionId: z.string(),
  cardPaymentId: z.string().nullable(),
  amountCents: z.int(),
  credits: z.int(),
  method: z.string(),
  receiptUrl: z.string().nullable(),
  refundedCents: z.int(),
  creditsReversed: z.int(),
  creditsDisputed: z.int(),
  creditsFrozen: z.int(),
  disputedAt: z.date().nullable(),
  // Only updates use these columns.
  invoicedAt: z.undefined(),
  creditedCents: z.undefined(),
  createdAt: z.date(),
});
const redeemCode: z.ZodType<RedeemCodeRow> = z.strictObject({
  credits: z.int(),
  isExpired: z.boolean(),
  isUsedUp: z.boolean(),
});

const creditRequest: z.ZodType<CreditRequest> = z.strictObject({
  id: z.uuid(),
  kind: z.enum(['adjustment', 'account', 'code']),
  accountId: z.uuid().nullable(),
  credits: z.int(),
  uses: z.int(),
  codeExpiresAt: z.date().nullable(),
  why: z.string().nullable(),
  status: z.enum(['applied', 'waiting', 'approved', 'rejected']),
  requestedBy: z.string(),
  requestedAt: z.date(),
  expiresAt: z.date().nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: z.date().nullable(),
});

describe('billing statements return the rows that their types declare', () => {
  const { createAccount, expectRows, get, transaction } = statementScene();

  it('of checkouts, payments and reversals', async () => {
    const { id: accountId } = await createAccount();
    const [sessionId, cardPaymentId] = [randomUUID(), randomUUID()];
    const purchases = get(PurchasesRepository);
    const bought = { sessionId, accountId, credits: 50, amountCents: 500 };
    await purchases.insertCheckout({ ...bought, pack: 'basic' });
    expect(checkout.parse(await purchases.findCheckout(sessionId))).toMatchObject(bought);
    await transaction(async (tx) => {
      expect(await purchases.markPaid(tx, sessionId)).toBe(true);
      await purchases.insertPayment(tx, { ...bought, cardPaymentId, method: 'card', receiptUrl: null });
      payment.parse(await purchases.findPayment(tx, cardPaymentId));
      await purchases.recordRefund(tx, cardPaymentId, 100);
      const refund = { cardPaymentId, amountCents: 30 };
      await purchases.recordRefundState(tx, { ...refund, refundId: randomUUID(), failed: true });
      await purchases.recordRefundState(tx, { ...refund, refundId: randomUUID(), failed: false });
      const dispute = { cardPaymentId, amountCents: 200, reason: 'fraudulent' };
      await purchases.recordDispute(tx, { ...dispute, disputeId: randomUUID(), status: 'lost' });
      await purchases.recordDispute(tx, { ...dispute, disputeId: randomUUID(), status: 'open' });
      expect(await purchases.reversalOf(tx, cardPaymentId)).toEqual({
        refundedCents: 70,
        failedCents: 30,
        lostCents: 200,
        openCents: 200,
        dispute: { status: 'lost', reason: 'fraudulent' },
      } satisfies Reversal);
    });
    const [newest] = await purchases.payments(accountId, 10, 0);
    expect(payment.parse(newest)).toMatchObject({ ...bought, cardPaymentId });
    expect(await purchases.countPayments(accountId)).toBe(1);
    await transaction(async (tx) => {
      await purchases.updateReversed(
        tx,
        { sessionId, refundedCents: 0, creditsReversed: 0, creditsDisputed: 20, creditsFrozen: 5 },
        true,
      );
      await purchases.addFrozen(tx, sessionId, 3);
      const lacking: readonly LackingFrozen[] = await purchases.lackingFrozen(tx, accountId);
      expect(lacking).toEqual([{ sessionId, lacking: 12 }]);
      await purchases.updateReversed(
        tx,
        { sessionId, refundedCents: 0, creditsReversed: 0, creditsDisputed: 0, creditsFrozen: 0 },
        true,
      );
    });
    const paid: z.ZodType<PaidCents> = z.strictObject({ accountId: z.uuid(), cents: z.string().regex(/^\d+$/) });
    await expectRows(paid, paidCentsStatement.text, [[accountId]]);
    await expectRows(z.strictObject({ mismatches: z.literal(0) }), frozenMismatches.text);
  });

  it('of credit requests', async () => {
    const requests = get(CreditRequestsRepository);
    const asked = { kind: 'code', accountId: null, credits: 2, uses: 3, codeExpiresAt: null, why: null } as const;
    const by = { ...asked, requestedBy: 'ada' };
    const [applied, waiting] = [randomUUID(), randomUUID()];
    await transaction(async (tx) => {
      const alone = await requests.insert(tx, { ...by, id: applied, status: 'applied' }, 7);
      expect(creditRequest.parse(alone)).toMatchObject({ id: applied, expiresAt: null });
      expect(await requests.movedAlone(tx, 'ada')).toBe(6);
      creditRequest.parse(await requests.insert(tx, { ...by, id: waiting, status: 'waiting' }, 7));
      expect(await requests.movedAlone(tx, 'ada')).toBe(6);
    });
    expect(z.array(creditRequest).parse(await requests.waiting())).toHaveLength(1);
    await transaction(async (tx) => expect(await requests.decide(tx, waiting, 'approved', 'bob')).toBe(true));
    expect(creditRequest.parse(await requests.find(waiting))).toMatchObject({ status: 'approved', decidedBy: 'bob' });
  });

  it('of redeem codes', async () => {
    const { id: accountId } = await createAccount();
    const codes = get(RedeemCodesRepository);
    await transaction((tx) => codes.insert(tx, { code: 'ABCDEFGH', credits: 5, usesMax: 1, expiresAt: null }));
    await transaction(async (tx) => {
      redeemCode.parse(await codes.lock(tx, 'ABCDEFGH'));
      z.string().parse(await codes.redeem(tx, accountId, 'ABCDEFGH'));
      expect(await codes.isRedeemedBy(tx, accountId, 'ABCDEFGH')).toBe(true);
    });
  });
});
