import { PaymentEvents } from '../billing/payment-events.js';
import { Payments } from '../billing/payments.js';
import { PurchasesRepository } from '../billing/purchases.repository.js';
import { Acceptance } from '../messages/send/acceptance.js';
import { acceptanceRow } from '../testing/acceptance-rows.js';
import { adjustCredits } from '../testing/operator-credits.js';
import { SettleDueOrders } from './settle-due-orders.js';
import { numberScene } from './testing/number-scene.js';

// The account has 3 free credits and has bought 250 for 1,000 cents; a number costs 50.
describe('A payment that is disputed while a purchase is not decided', () => {
  const scene = numberScene();

  afterEach(async () => {
    expect(await scene.core.get(Payments).countMismatches()).toBe(0);
  });

  const dispute = async (status: 'open' | 'won') => {
    const [payment] = await scene.bed.database.sql<{ card_payment_id: string }>(
      'SELECT card_payment_id FROM payments WHERE account_id = $1',
      [scene.account.id],
    );
    const cardPaymentId = payment?.card_payment_id ?? '';
    const about = { disputeId: `du_${cardPaymentId}`, cardPaymentId, amountCents: 1_000, reason: 'fraudulent' };
    await scene.core.get(PaymentEvents).handle({ kind: 'disputed', dispute: { ...about, status } });
  };
  const send = async (price: number) => {
    const row = acceptanceRow(scene.core, scene.account.apiKey, { price });
    return (await scene.core.get(Acceptance).decide(row)).kind;
  };
  /** Begins a purchase that the carrier has got, or has not. */
  const begin = async (fault: 'lost' | 'not sold, unknown') => {
    scene.core.numberCarrier.faults = [fault];
    scene.core.numberCarrier.isDown = true;
    await scene.buy();
    scene.core.numberCarrier.isDown = false;
    expect(await scene.balance()).toMatchObject({ frozen: 50 });
  };
  const settle = async () => {
    await scene.bed.database.sql('UPDATE number_orders SET due_at = now() WHERE due_at IS NOT NULL');
    expect(await scene.core.get(SettleDueOrders).run(new Date(Date.now() + 3_600_000))).toBe(1);
  };

  it('has all its credits frozen when the purchase fails', async () => {
    await begin('not sold, unknown');
    await dispute('open');
    expect(await scene.balance()).toEqual({ balance: 253, frozen: 253 });
    await settle();
    expect(await scene.balance()).toEqual({ balance: 253, frozen: 250 });
    expect([await send(4), await send(3)]).toEqual(['refused', 'accepted']);
    await dispute('won');
    expect(await scene.balance()).toEqual({ balance: 250, frozen: 0 });
  });

  it('has none frozen when the purchase fails after the dispute was won', async () => {
    await begin('not sold, unknown');
    await dispute('open');
    await dispute('won');
    await settle();
    expect(await scene.balance()).toEqual({ balance: 253, frozen: 0 });
  });

  it('leaves the number to the account, and what is spent then, when the carrier has sold it', async () => {
    await begin('lost');
    await dispute('open');
    await settle();
    expect(await scene.balance()).toEqual({ balance: 203, frozen: 203 });
  });

  it('freezes of several purchases together what it lacks', async () => {
    await begin('not sold, unknown');
    scene.core.numberCarrier.faults = ['not sold, unknown'];
    await scene.buy();
    await dispute('open');
    await scene.bed.database.sql('UPDATE number_orders SET due_at = now() WHERE due_at IS NOT NULL');
    expect(await scene.core.get(SettleDueOrders).run(new Date(Date.now() + 3_600_000))).toBe(2);
    expect(await scene.balance()).toEqual({ balance: 253, frozen: 250 });
  });

  it('does not freeze what was held from credits that arrived after the dispute', async () => {
    expect(await send(200)).toBe('accepted');
    await dispute('open');
    await adjustCredits(scene.core, scene.account.email, 60, 'test');
    expect(await scene.balance()).toEqual({ balance: 113, frozen: 53 });
    scene.core.numberCarrier.faults = ['not sold, unknown'];
    await scene.buy();
    await settle();
    expect(await scene.balance()).toEqual({ balance: 113, frozen: 53 });
  });

  it('counts what a purchase gives back while the end of the dispute waits for the balance', async () => {
    await begin('not sold, unknown');
    await dispute('open');
    const purchases = scene.core.get(PurchasesRepository);
    const original = purchases.findPayment.bind(purchases);
    jest.spyOn(purchases, 'findPayment').mockImplementationOnce(async (...call) => {
      const found = await original(...call);
      await settle();
      return found;
    });
    await dispute('won');
    expect(await scene.balance()).toEqual({ balance: 253, frozen: 0 });
  });
});
