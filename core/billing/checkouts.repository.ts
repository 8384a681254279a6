import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PackId } from '#contract/packs.js';
import { Postgres } from '../platform/database/postgres.js';

/** A checkout that we opened: who buys what, for how much. */
export interface Checkout {
  readonly sessionId: string;
  readonly accountId: string;
  readonly pack: PackId;
  readonly credits: number;
  readonly amountCents: number;
  readonly status: 'open' | 'paid' | 'failed';
}

const insertCheckout = {
  name: 'checkout-insert-1',
  text: `
INSERT INTO checkout_sessions (session_id, account_id, pack, credits, amount_cents)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT (session_id) DO NOTHING`,
};

const findCheckout = {
  name: 'checkout-find-1',
  text: `
SELECT session_id AS "sessionId", account_id AS "accountId", pack, credits, amount_cents AS "amountCents", status
FROM checkout_sessions WHERE session_id = $1`,
};

/** Our own record of checkouts: what a paid one must agree with. */
@Injectable()
export class CheckoutsRepository {
  constructor(private readonly postgres: Postgres) {}

  /** The provider answers a repeated request with the same session: it is recorded once. */
  async insert({ sessionId, accountId, pack, credits, amountCents }: Omit<Checkout, 'status'>): Promise<void> {
    await this.postgres.query(insertCheckout, [sessionId, accountId, pack, credits, amountCents]);
  }

  async find(sessionId: string): Promise<Checkout | undefined> {
    const [checkout] = await this.postgres.query<Checkout>(findCheckout, [sessionId]);
    return checkout;
  }

  /** Answers whether this call made it paid: of any number, one gets true. */
  async markPaid(tx: EntityManager, sessionId: string): Promise<boolean> {
    const rows = await tx.query<{ session_id: string }[]>(
      `WITH marked AS (
         UPDATE checkout_sessions SET status = 'paid', paid_at = now()
         WHERE session_id = $1 AND status <> 'paid' RETURNING session_id
       ) SELECT session_id FROM marked`,
      [sessionId],
    );
    return rows.length > 0;
  }

  /** What is paid stays paid. */
  async markFailed(sessionId: string): Promise<void> {
    await this.postgres.query(
      {
        name: 'checkout-failed-1',
        text: `UPDATE checkout_sessions SET status = 'failed' WHERE session_id = $1 AND status = 'open'`,
      },
      [sessionId],
    );
  }
}
