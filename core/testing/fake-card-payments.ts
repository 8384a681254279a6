import { CardPayments, type CardSession, type NewCardSession } from '../billing/card-payments.js';
import { packCurrency, packs } from '#contract/packs.js';

/** A payment provider in memory. Opens every checkout; a test decides its outcome. */
export class FakeCardPayments extends CardPayments {
  readonly opened: NewCardSession[] = [];
  /** While true, the provider does not answer queries. */
  deaf = false;
  private readonly sessions = new Map<string, CardSession>();
  private readonly byKey = new Map<string, CardSession>();

  async open(session: NewCardSession): Promise<CardSession & { readonly url: string }> {
    this.opened.push(session);
    const known = this.byKey.get(session.idempotencyKey);
    const number = this.byKey.size + 1;
    const sessionId = known?.sessionId ?? `cs_test_${number}_${session.accountId}`;
    const opened: CardSession = known ?? {
      sessionId,
      state: 'open',
      accountId: session.accountId,
      amountCents: packs.find(({ id }) => session.priceId === `price_${id}`)?.priceCents ?? null,
      currency: packCurrency,
      cardPaymentId: null,
      receiptUrl: null,
    };
    this.byKey.set(session.idempotencyKey, opened);
    this.sessions.set(sessionId, opened);
    return { ...opened, url: `https://checkout.test/${sessionId}` };
  }

  async find(sessionId: string): Promise<CardSession | undefined> {
    if (this.deaf) throw new Error('The provider cannot be asked');
    return this.sessions.get(sessionId);
  }

  /** Pays as the buyer; returns the provider's event, which has no receipt. */
  pay(sessionId: string, changes: Partial<CardSession> = {}): CardSession {
    const session = this.change(sessionId, { state: 'paid', cardPaymentId: `pi_${sessionId}`, ...changes });
    this.change(sessionId, { receiptUrl: `https://pay.test/receipts/${sessionId}` });
    return session;
  }

  change(sessionId: string, changes: Partial<CardSession>): CardSession {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error('The provider has no such checkout');
    const changed = { ...session, ...changes };
    this.sessions.set(sessionId, changed);
    return changed;
  }
}
