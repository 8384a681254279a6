import { ask } from './ask.js';

/** The key by which product and tests speak to the sandbox's Stripe. */
export const STRIPE_KEY = 'sk_test_e2e';

/** An email as it arrived. */
interface ArrivedMail {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
}

/** An event of Stripe's with the tries to bring it to the product. */
interface PostedEvent {
  readonly event: string;
  readonly type: string;
  readonly object: string;
  readonly state: 'held back' | 'waiting' | 'taken' | 'given up';
  readonly attempts: readonly { readonly status: number }[];
}

interface Fault {
  readonly service: 'stripe' | 'google' | 'mail' | 'twilio' | 'telnyx' | 'smsc' | 'media';
  readonly mode: string;
  readonly count?: number;
  readonly delayMs?: number;
}

/**
 * The sandbox's Stripe, Google and mailbox, beside the product, with the actions of their owners
 * and other people.
 */
export class Vendors {
  constructor(readonly url: string) {}

  async misbehave(fault: Fault): Promise<void> {
    await ask(`${this.url}/_control/faults`, fault);
  }

  mails(to: string): Promise<ArrivedMail[]> {
    return ask(`${this.url}/_control/mail?to=${encodeURIComponent(to)}`);
  }

  /** Every event of Stripe's, newest first. */
  events(): Promise<PostedEvent[]> {
    return ask(`${this.url}/_control/stripe/webhooks`);
  }

  /** The events of a payment and its session, newest first. */
  async eventsOf(...objects: readonly string[]): Promise<PostedEvent[]> {
    return (await this.events()).filter(({ object }) => objects.includes(object));
  }

  /** Pays a session with a good card, without its page. Answers whether it is paid. */
  async pay(session: string): Promise<boolean> {
    const { result } = await ask<{ result: string }>(`${this.url}/_control/stripe/pay`, { session });
    return result === 'complete';
  }

  /** Posts an event once more and answers the product's status. */
  async resend({ event }: PostedEvent): Promise<number> {
    return (await ask<{ status: number }>(`${this.url}/_control/stripe/resend`, { event })).status;
  }

  /** Disputes a charge, as the cardholder's bank does. */
  async dispute(charge: string, reason: string): Promise<void> {
    await ask(`${this.url}/_control/stripe/dispute`, { charge, reason });
  }

  /**
   * Refunds a charge, as the owner of the shop does in Stripe's dashboard; without an amount, all
   * that is left.
   */
  async refund(charge: string, cents?: number): Promise<void> {
    await this.stripe('refunds', { charge, ...(cents === undefined ? {} : { amount: String(cents) }) });
  }

  async expire(sessionId: string): Promise<void> {
    await this.stripe(`checkout/sessions/${sessionId}/expire`, {});
  }

  /** The id of the charge by which a session was paid. */
  async chargeOf(sessionId: string): Promise<string> {
    const session = await this.stripe<{ payment_intent: { latest_charge: string } }>(
      `checkout/sessions/${sessionId}?expand[]=payment_intent`,
    );
    return session.payment_intent.latest_charge;
  }

  /** Charges of saved cards, newest first. */
  async cardPayments(): Promise<{ readonly id: string; readonly status: string }[]> {
    return (await this.stripe<{ data: { id: string; status: string }[] }>('payment_intents?limit=100')).data;
  }

  private async stripe<T>(path: string, form?: Record<string, string>): Promise<T> {
    const answer = await fetch(`${this.url}/v1/${path}`, {
      headers: { authorization: `Bearer ${STRIPE_KEY}` },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    if (!answer.ok) throw new Error(`Stripe answered ${answer.status} to ${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
