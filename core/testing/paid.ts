import { Checkouts } from '../billing/checkouts.js';
import { PaymentEvents } from '../billing/payment-events.js';
import type { TestCore } from './test-core.js';
import type { TestDatabase } from './test-database.js';

/** Buys 250 credits by card for an account; returns the id of its checkout session. */
export async function paid(core: Pick<TestCore, 'get' | 'cardPayments'>, accountId: string): Promise<string> {
  const { sessionId } = await core.get(Checkouts).open({ accountId, pack: 'basic' });
  const session = core.cardPayments.pay(sessionId);
  await core.get(PaymentEvents).handle({ kind: 'session', session });
  return sessionId;
}

/** Records one card payment of an account, without any payment provider. */
export async function hasPaid(database: TestDatabase, accountId: string): Promise<void> {
  const session = `cs_test_${accountId}`;
  await database.sql(
    `INSERT INTO checkout_sessions (session_id, account_id, pack, credits, amount_cents, status, paid_at)
     VALUES ($1, $2, 'starter', 50, 300, 'paid', now())`,
    [session, accountId],
  );
  await database.sql(
    `INSERT INTO payments (account_id, session_id, card_payment_id, amount_cents, credits, method)
     VALUES ($2, $1, $1, 300, 50, 'Stripe Payment')`,
    [session, accountId],
  );
}
