import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PackId } from '#contract/packs.js';
import type { TopUpBody, TopUpStatus } from '#contract/billing.js';
import { Postgres } from '../../platform/database/postgres.js';
import type { SavedCard } from '../card-payments.js';

/** An attempt to charge a saved card for a pack. */
export interface TopUp {
  readonly id: string;
  readonly accountId: string;
  readonly pack: PackId;
  readonly credits: number;
  readonly amountCents: number;
  readonly status: TopUpStatus;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly cardLast4: string;
  readonly cardPaymentId: string | null;
  readonly reason: string | null;
  readonly createdAt: Date;
}

export type NewTopUp = Omit<TopUp, 'status' | 'cardPaymentId' | 'reason' | 'createdAt'>;

export interface TopUpSettings extends TopUpBody {
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
  readonly cardBrand: string | null;
  readonly cardLast4: string | null;
  readonly cardExpires: string | null;
  readonly failures: number;
  readonly retryAt: Date | null;
  readonly offReason: 'declined' | 'not_confirmed' | null;
}

export interface WatchedTopUp {
  readonly accountId: string;
  readonly threshold: number;
}

/** Accounts checked by one round, and how often each is checked. */
const WATCHED_BATCH_MAX = 200;
const WATCHED_EVERY_SECONDS = 5;
/** Recovery looks at an attempt again after this time; a call to the provider ends well before. */
export const TOP_UP_LEASE_SECONDS = 60;
/** How long the customer can confirm a charge. */
export const TOP_UP_CONFIRM_HOURS = 72;
const DUE_BATCH_MAX = 20;

const settingsColumns = `enabled, threshold::float8 AS threshold, pack, per_month_max AS "perMonthMax",
  customer_id AS "customerId", payment_method_id AS "paymentMethodId", card_brand AS "cardBrand",
    card_last4 AS "cardLast4",
  card_expires AS "cardExpires", failures, retry_at AS "retryAt", off_reason AS "offReason"`;

const columns = `id, account_id AS "accountId", pack, credits, amount_cents AS "amountCents", status,
  customer_id AS "customerId",
  payment_method_id AS "paymentMethodId", card_last4 AS "cardLast4", card_payment_id AS "cardPaymentId", reason,
  created_at AS "createdAt"`;

export const findSettings = {
  name: 'top-up-settings-1',
  text: `SELECT ${settingsColumns} FROM auto_top_ups WHERE account_id = $1`,
} as const;

/**
 * Locks the accounts that were checked longest ago; other workers skip them and find them again
 * after a few seconds.
 */
export const takeWatched = `
UPDATE auto_top_ups a SET seen_at = now()
FROM (
  SELECT account_id FROM auto_top_ups
  WHERE enabled AND seen_at <= now() - interval '${WATCHED_EVERY_SECONDS} seconds'
  ORDER BY seen_at LIMIT ${WATCHED_BATCH_MAX} FOR NO KEY UPDATE SKIP LOCKED
) due
WHERE a.account_id = due.account_id AND (a.retry_at IS NULL OR a.retry_at <= now())
RETURNING a.account_id AS "accountId", a.threshold::float8 AS threshold`;

/** Takes attempts whose time has come; other workers skip them. */
export const takeDue = `
UPDATE top_ups t SET due_at = now() + interval '${TOP_UP_LEASE_SECONDS} seconds'
FROM (
  SELECT id FROM top_ups WHERE due_at <= now() ORDER BY due_at LIMIT ${DUE_BATCH_MAX} FOR NO KEY UPDATE SKIP LOCKED
) due
WHERE t.id = due.id
RETURNING t.id, account_id AS "accountId", pack, credits, amount_cents AS "amountCents", status,
  customer_id AS "customerId",
  payment_method_id AS "paymentMethodId", card_last4 AS "cardLast4", card_payment_id AS "cardPaymentId",
    reason, created_at AS "createdAt"`;

export const findTopUp = { name: 'top-up-1', text: `SELECT ${columns} FROM top_ups WHERE id = $1` } as const;

export const pageOfTopUps = {
  name: 'top-ups-page-1',
  text: `SELECT ${columns} FROM top_ups WHERE account_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
} as const;

export const openTopUp = {
  name: 'top-up-open-1',
  text: `SELECT ${columns} FROM top_ups WHERE account_id = $1 AND status IN ('pending', 'action_required')`,
} as const;

/** Parameters: account, begin of the month. */
export const countOfMonth = {
  name: 'top-ups-of-month-1',
  text: `
SELECT count(*)::int AS count FROM top_ups
WHERE account_id = $1 AND created_at >= $2 AND status IN ('pending', 'action_required', 'paid')`,
} as const;

/** Settings and attempts of automatic top-up. */
@Injectable()
export class TopUpsRepository {
  constructor(private readonly postgres: Postgres) {}

  async findSettings(accountId: string): Promise<TopUpSettings | undefined> {
    const [row] = await this.postgres.query<TopUpSettings>(findSettings, [accountId]);
    return row;
  }

  /** Serializes what happens to the account's top-ups until the transaction ends. */
  async lockSettings(tx: EntityManager, accountId: string): Promise<TopUpSettings | undefined> {
    const [row] = await tx.query<TopUpSettings[]>(`${findSettings.text} FOR NO KEY UPDATE`, [accountId]);
    return row;
  }

  /** Saves the customer's choices; they clear earlier failures. */
  async saveSettings(tx: EntityManager, accountId: string, settings: TopUpBody): Promise<void> {
    const { enabled, threshold, pack, perMonthMax } = settings;
    await tx.query('INSERT INTO auto_top_ups (account_id) VALUES ($1) ON CONFLICT DO NOTHING', [accountId]);
    await tx.query(
      `UPDATE auto_top_ups SET enabled = $2, threshold = $3, pack = $4, per_month_max = $5, failures = 0,
        retry_at = NULL,
         off_reason = NULL
       WHERE account_id = $1`,
      [accountId, enabled, threshold, pack, perMonthMax],
    );
  }

  /** Stores the provider's customer unless the account has one; returns the stored one. */
  async saveCustomer(accountId: string, customerId: string): Promise<string> {
    const rows = await this.postgres.query<{ customerId: string }>(
      {
        text: `INSERT INTO auto_top_ups AS a (account_id, customer_id) VALUES ($1, $2)
          ON CONFLICT (account_id) DO UPDATE SET customer_id = coalesce(a.customer_id, excluded.customer_id)
          RETURNING customer_id AS "customerId"`,
      },
      [accountId, customerId],
    );
    return rows[0]?.customerId ?? customerId;
  }

  /**
   * Stores a card unless a newer session or the card's removal came first. Returns whether it is
   * new.
   */
  async saveCard(tx: EntityManager, accountId: string, card: SavedCard, openedAt: Date): Promise<boolean> {
    const [rows] = await tx.query<[object[], number]>(
      `UPDATE auto_top_ups SET payment_method_id = $2, card_brand = $3, card_last4 = $4, card_expires = $5,
        card_at = $6,
         failures = 0, retry_at = NULL, off_reason = NULL
       WHERE account_id = $1 AND (card_at IS NULL OR card_at < $6) RETURNING account_id`,
      [accountId, card.paymentMethodId, card.brand, card.last4, card.expires, openedAt],
    );
    return rows.length > 0;
  }

  /** Removes the card and turns top-up off. */
  async removeCard(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query(
      `UPDATE auto_top_ups SET enabled = false, payment_method_id = NULL, card_brand = NULL, card_last4 = NULL,
         card_expires = NULL, card_at = now(), failures = 0, retry_at = NULL, off_reason = NULL
       WHERE account_id = $1`,
      [accountId],
    );
  }

  /** Lets recovery end a charge that waits for its confirmation. */
  async hastenConfirmation(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query(`UPDATE top_ups SET due_at = now() WHERE account_id = $1 AND status = 'action_required'`, [
      accountId,
    ]);
  }

  async takeWatched(): Promise<WatchedTopUp[]> {
    return this.postgres.transaction(async (tx) => {
      const [rows] = await tx.query<[WatchedTopUp[], number]>(takeWatched);
      return rows;
    });
  }

  async takeDue(): Promise<TopUp[]> {
    return this.postgres.transaction(async (tx) => {
      const [rows] = await tx.query<[TopUp[], number]>(takeDue);
      return rows;
    });
  }

  async find(id: string): Promise<TopUp | undefined> {
    const [row] = await this.postgres.query<TopUp>(findTopUp, [id]);
    return row;
  }

  async findOpen(accountId: string, tx?: EntityManager): Promise<TopUp | undefined> {
    const [row] = tx
      ? await tx.query<TopUp[]>(openTopUp.text, [accountId])
      : await this.postgres.query<TopUp>(openTopUp, [accountId]);
    return row;
  }

  async countSince(accountId: string, since: Date, tx?: EntityManager): Promise<number> {
    const values = [accountId, since];
    const [row] = tx
      ? await tx.query<{ count: number }[]>(countOfMonth.text, values)
      : await this.postgres.query<{ count: number }>(countOfMonth, values);
    return row?.count ?? 0;
  }

  /** Newest first. */
  async page(accountId: string, size: number, offset: number): Promise<TopUp[]> {
    return this.postgres.query<TopUp>(pageOfTopUps, [accountId, size, offset]);
  }

  async count(accountId: string): Promise<number> {
    const text = 'SELECT count(*)::int AS count FROM top_ups WHERE account_id = $1';
    const [row] = await this.postgres.query<{ count: number }>({ text }, [accountId]);
    return row?.count ?? 0;
  }

  async insert(tx: EntityManager, topUp: NewTopUp): Promise<void> {
    const { id, accountId, pack, credits, amountCents, customerId, paymentMethodId, cardLast4 } = topUp;
    await tx.query(
      `INSERT INTO top_ups (id, account_id, pack, credits, amount_cents, customer_id, payment_method_id,
        card_last4, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + interval '${TOP_UP_LEASE_SECONDS} seconds')`,
      [id, accountId, pack, credits, amountCents, customerId, paymentMethodId, cardLast4],
    );
  }

  /**
   * Ends an attempt; returns whether this call did. A paid one stays paid, and any other can still
   * become paid.
   */
  async finish(
    tx: EntityManager,
    id: string,
    result: { status: 'paid' | 'declined' | 'expired' | 'failed'; cardPaymentId: string | null; reason: string | null },
  ): Promise<boolean> {
    const { status, cardPaymentId, reason } = result;
    const [rows] = await tx.query<[object[], number]>(
      `UPDATE top_ups SET status = $2, card_payment_id = coalesce($3, card_payment_id), reason = $4, due_at = NULL,
         finished_at = now()
       WHERE id = $1 AND status <> 'paid' AND ($2 = 'paid' OR status IN ('pending', 'action_required')) RETURNING id`,
      [id, status, cardPaymentId, reason],
    );
    return rows.length > 0;
  }

  /** Lets an attempt wait for its confirmation; returns whether this call did. */
  async awaitConfirmation(tx: EntityManager, id: string, cardPaymentId: string): Promise<boolean> {
    const [rows] = await tx.query<[object[], number]>(
      `UPDATE top_ups SET status = 'action_required', card_payment_id = $2,
         due_at = now() + interval '${TOP_UP_CONFIRM_HOURS} hours'
       WHERE id = $1 AND status = 'pending' RETURNING id`,
      [id, cardPaymentId],
    );
    return rows.length > 0;
  }

  async clearFailures(tx: EntityManager, accountId: string): Promise<void> {
    const text = 'UPDATE auto_top_ups SET failures = 0, retry_at = NULL, off_reason = NULL WHERE account_id = $1';
    await tx.query(text, [accountId]);
  }

  /** Counts a failure; the card is not charged before `waitSeconds` have passed. */
  async postpone(tx: EntityManager, accountId: string, waitSeconds: number): Promise<void> {
    await tx.query(
      `UPDATE auto_top_ups SET failures = failures + 1, retry_at = now() + make_interval(secs => $2)
        WHERE account_id = $1`,
      [accountId, waitSeconds],
    );
  }

  /** Turns top-up off; returns whether it was on. */
  async turnOff(tx: EntityManager, accountId: string, reason: 'declined' | 'not_confirmed'): Promise<boolean> {
    const [rows] = await tx.query<[object[], number]>(
      `UPDATE auto_top_ups SET enabled = false, off_reason = $2, failures = 0, retry_at = NULL
       WHERE account_id = $1 AND enabled RETURNING account_id`,
      [accountId, reason],
    );
    return rows.length > 0;
  }

  /** Removes the settings and what names a card. */
  async erase(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'DELETE FROM auto_top_ups WHERE account_id = $1' }, [accountId]);
    const text = `UPDATE top_ups SET customer_id = '', payment_method_id = '', card_last4 = '' WHERE account_id = $1`;
    await this.postgres.query({ text }, [accountId]);
  }
}
