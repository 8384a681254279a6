import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThanOrEqual, Not, Repository, type EntityManager } from 'typeorm';
import type { TopUpBody } from '#contract/billing.js';
import { Postgres } from '../../platform/database/postgres.js';
import { isDueAndFree } from '../../platform/durable-work/durable-work.js';
import type { SavedCard } from '../card-payments.js';
import { AutoTopUpEntity } from './auto-top-up.entity.js';
import { TopUpEntity } from './top-up.entity.js';

/** An attempt to charge a saved card for a pack. */
export type TopUp = Readonly<Omit<TopUpEntity, 'finishedAt' | 'dueAt'>>;
export type NewTopUp = Omit<TopUp, 'status' | 'cardPaymentId' | 'reason' | 'createdAt'>;
export type TopUpSettings = Readonly<AutoTopUpEntity>;

export interface WatchedTopUp {
  readonly accountId: string;
  readonly threshold: number;
}

/** Accounts per round, and seconds between two checks of an account. */
const WATCHED_BATCH_MAX = 200;
const WATCHED_EVERY_SECONDS = 5;
/** Recovery looks at an attempt again after this time; a call to the provider ends well before. */
export const TOP_UP_LEASE_SECONDS = 60;
/** Hours within which the customer can confirm a charge. */
export const TOP_UP_CONFIRM_HOURS = 72;
const DUE_BATCH_MAX = 20;

const OPEN = ['pending', 'action_required'] as const;
const isOpen = { status: In(OPEN) };

const settled = { failures: 0, retryAt: null, offReason: null };

/**
 * Locks the accounts that were checked longest ago; other workers skip them and find them again
 * after a few seconds.
 */
export const takeWatched = {
  name: 'top-ups-watched-2',
  text: `
UPDATE auto_top_ups a SET seen_at = now()
FROM (
  SELECT account_id FROM auto_top_ups
  WHERE enabled AND seen_at <= now() - interval '${WATCHED_EVERY_SECONDS} seconds'
    AND (retry_at IS NULL OR retry_at <= now())
  ORDER BY seen_at LIMIT ${WATCHED_BATCH_MAX} FOR NO KEY UPDATE SKIP LOCKED
) due
WHERE a.account_id = due.account_id
RETURNING a.account_id AS "accountId", a.threshold::float8 AS threshold`,
} as const;

/** Takes attempts whose time has come; other workers skip them. */
export const takeDue = {
  name: 'top-ups-due-2',
  text: `
UPDATE top_ups SET due_at = now() + interval '${TOP_UP_LEASE_SECONDS} seconds'
WHERE ${isDueAndFree('top_ups', DUE_BATCH_MAX)}
RETURNING id, account_id AS "accountId", pack, credits, amount_cents AS "amountCents", status,
  customer_id AS "customerId", payment_method_id AS "paymentMethodId", card_last4 AS "cardLast4",
  card_payment_id AS "cardPaymentId", reason, created_at AS "createdAt"`,
} as const;

/** Settings and attempts of automatic top-up. */
@Injectable()
export class TopUpsRepository {
  constructor(
    @InjectRepository(AutoTopUpEntity) private readonly settings: Repository<AutoTopUpEntity>,
    @InjectRepository(TopUpEntity) private readonly topUps: Repository<TopUpEntity>,
    private readonly postgres: Postgres,
  ) {}

  async findSettings(accountId: string): Promise<TopUpSettings | null> {
    return this.postgres.call(() => this.settings.findOneBy({ accountId }));
  }

  /** Serializes changes of the account's top-ups until the transaction ends. */
  async lockSettings(tx: EntityManager, accountId: string): Promise<TopUpSettings | null> {
    return tx.findOne(AutoTopUpEntity, { where: { accountId }, lock: { mode: 'for_no_key_update' } });
  }

  /** Saves the customer's choices; they clear earlier failures. */
  async saveSettings(tx: EntityManager, accountId: string, settings: TopUpBody): Promise<void> {
    const { enabled, threshold, pack, perMonthMax } = settings;
    await tx.createQueryBuilder().insert().into(AutoTopUpEntity).values({ accountId }).orIgnore().execute();
    await tx.update(AutoTopUpEntity, { accountId }, { enabled, threshold, pack, perMonthMax, ...settled });
  }

  /** Stores the provider's customer unless the account has one; returns the stored customer. */
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

  async removeCard(tx: EntityManager, accountId: string): Promise<void> {
    const none = { paymentMethodId: null, cardBrand: null, cardLast4: null, cardExpires: null, cardAt: () => 'now()' };
    await tx.update(AutoTopUpEntity, { accountId }, { enabled: false, ...none, ...settled });
  }

  /** Lets recovery end a charge that waits for its confirmation. */
  async hastenConfirmation(tx: EntityManager, accountId: string): Promise<void> {
    await tx.update(TopUpEntity, { accountId, status: 'action_required' }, { dueAt: () => 'now()' });
  }

  async takeWatched(): Promise<WatchedTopUp[]> {
    return this.postgres.query<WatchedTopUp>(takeWatched, []);
  }

  async takeDue(): Promise<TopUp[]> {
    return this.postgres.query<TopUp>(takeDue, []);
  }

  async find(id: string): Promise<TopUpEntity | null> {
    return this.postgres.call(() => this.topUps.findOneBy({ id }));
  }

  async findOpen(accountId: string, tx?: EntityManager): Promise<TopUpEntity | null> {
    const find = (manager: EntityManager) => manager.findOneBy(TopUpEntity, { accountId, ...isOpen });
    return tx ? find(tx) : this.postgres.call(find);
  }

  /** Counts open and paid attempts. */
  async countSince(accountId: string, since: Date, tx?: EntityManager): Promise<number> {
    const counted = { accountId, createdAt: MoreThanOrEqual(since), status: In([...OPEN, 'paid']) };
    const count = (manager: EntityManager) => manager.countBy(TopUpEntity, counted);
    return tx ? count(tx) : this.postgres.call(count);
  }

  /** Returns attempts, newest first. */
  async page(accountId: string, size: number, offset: number): Promise<TopUpEntity[]> {
    return this.postgres.call(() =>
      this.topUps.find({ where: { accountId }, order: { id: 'DESC' }, take: size, skip: offset }),
    );
  }

  async count(accountId: string): Promise<number> {
    return this.postgres.call(() => this.topUps.countBy({ accountId }));
  }

  async insert(tx: EntityManager, topUp: NewTopUp): Promise<void> {
    await tx.insert(TopUpEntity, { ...topUp, dueAt: () => `now() + interval '${TOP_UP_LEASE_SECONDS} seconds'` });
  }

  /**
   * Ends an attempt; returns whether this call did. A paid attempt stays paid; any other can still
   * become paid.
   */
  async finish(
    tx: EntityManager,
    id: string,
    result: { status: 'paid' | 'declined' | 'expired' | 'failed'; cardPaymentId: string | null; reason: string | null },
  ): Promise<boolean> {
    const { cardPaymentId, ...outcome } = result;
    const can = outcome.status === 'paid' ? { status: Not<'paid'>('paid') } : isOpen;
    const ended = { ...outcome, ...(cardPaymentId !== null && { cardPaymentId }), dueAt: null };
    const { affected } = await tx.update(TopUpEntity, { id, ...can }, { ...ended, finishedAt: () => 'now()' });
    return affected === 1;
  }

  /** Lets an attempt wait for its confirmation; returns whether this call did. */
  async awaitConfirmation(tx: EntityManager, id: string, cardPaymentId: string): Promise<boolean> {
    const dueAt = () => `now() + interval '${TOP_UP_CONFIRM_HOURS} hours'`;
    const waiting = { status: 'action_required', cardPaymentId, dueAt } as const;
    return (await tx.update(TopUpEntity, { id, status: 'pending' }, waiting)).affected === 1;
  }

  async clearFailures(tx: EntityManager, accountId: string): Promise<void> {
    await tx.update(AutoTopUpEntity, { accountId }, settled);
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
    const off = { enabled: false, ...settled, offReason: reason };
    return (await tx.update(AutoTopUpEntity, { accountId, enabled: true }, off)).affected === 1;
  }

  /** Removes the settings and the data that name a card. */
  async erase(accountId: string): Promise<void> {
    const nobody = { customerId: '', paymentMethodId: '', cardLast4: '' };
    await this.postgres.call(() => this.settings.delete({ accountId }));
    await this.postgres.call(() => this.topUps.update({ accountId }, nobody));
  }
}
