import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { NumberStatus, NumberType, ReleaseReason } from '#contract/numbers.js';
import { Postgres, type Statement } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';

/** A number as it is stored. */
export interface NumberRow {
  readonly id: string;
  readonly accountId: string;
  readonly number: string;
  readonly origin: 'operator' | 'purchase';
  readonly status: NumberStatus;
  readonly type: NumberType | null;
  readonly country: string | null;
  readonly canMms: boolean;
  readonly label: string | null;
  readonly autoRenew: boolean;
  readonly creditsPerMonth: number | null;
  /** Texts of strangers that are charged in a New York day. */
  readonly strangersPerDay: number;
  readonly monthsPaid: number;
  /** Carrier, as in `messages.carrier`; null until the number is bought. */
  readonly carrier: number | null;
  readonly carrierId: string | null;
  readonly renewsAt: Date | null;
  readonly pastDueAt: Date | null;
  readonly pastDueNotices: number;
  readonly releaseReason: ReleaseReason | null;
  /**
   * Earliest time of the release, which can be undone until then; null: the time is over, or was
   * never set.
   */
  readonly releaseAt: Date | null;
  readonly releasedAt: Date | null;
  readonly filteredAt: Date | null;
  readonly createdAt: Date;
}

const columns = (n: string) => `${n}.id, ${n}.account_id AS "accountId", ${n}.number, ${n}.origin, ${n}.status,
  ${n}.type, ${n}.country, ${n}.can_mms AS "canMms", ${n}.label, ${n}.auto_renew AS "autoRenew",
  ${n}.credits_per_month AS "creditsPerMonth", ${n}.strangers_per_day AS "strangersPerDay",
  ${n}.months_paid AS "monthsPaid", ${n}.carrier,
  ${n}.carrier_id AS "carrierId", ${n}.renews_at AS "renewsAt", ${n}.past_due_at AS "pastDueAt",
  ${n}.past_due_notices::int AS "pastDueNotices",
  ${n}.release_reason AS "releaseReason", ${n}.release_at AS "releaseAt", ${n}.released_at AS "releasedAt",
  ${n}.filtered_at AS "filteredAt",
  ${n}.created_at AS "createdAt"`;

/**
 * SQL of the instant at which the n-th month of a number ends: the same time of day in New York, on
 * the same day of the month or the month's last day.
 */
export const monthEnd = (activatedAt: string, months: string) =>
  `((${activatedAt} AT TIME ZONE 'America/New_York' + make_interval(months => ${months}))
    AT TIME ZONE 'America/New_York')`;

// On Citus, writes name the schema: all parts of a divided database share the table.
/**
 * No row when another account has the number, or it rests. Parameters: id, number, account, type,
 * country, label, whether to renew, rent in credits.
 */
export const reserveStatement = {
  name: 'numbers-reserve-1',
  text: `
INSERT INTO public.numbers (
  id, number, account_id, origin, status, type, country, label, auto_renew, credits_per_month
)
SELECT $1, $2, $3, 'purchase', 'reserving', $4, $5, $6, $7, $8
WHERE NOT EXISTS (
  SELECT FROM numbers r
  WHERE r.number = $2 AND r.status = 'released' AND r.rests_until > now() AND r.account_id <> $3
)
ON CONFLICT (number) WHERE status <> 'released' DO NOTHING
RETURNING id`,
} as const;

export const liveNumberStatement = {
  name: 'numbers-live-of-account-3',
  text: `SELECT ${columns('n')} FROM numbers n WHERE n.number = $1 AND n.status <> 'released'`,
} as const;

/** Parameters: id, carrier, the carrier's id, whether it sends MMS. */
export const activateStatement = {
  name: 'numbers-activate-1',
  text: `
UPDATE public.numbers n SET status = 'active', carrier = $2, carrier_id = $3, can_mms = $4, activated_at = now(),
  months_paid = 1, renews_at = ${monthEnd('now()', '1')}, due_at = ${monthEnd('now()', '1')}
WHERE id = $1 AND status = 'reserving' RETURNING ${columns('n')}`,
} as const;

/** Parameter: id. */
export const unreserveStatement = {
  name: 'numbers-unreserve-1',
  text: `DELETE FROM public.numbers WHERE id = $1 AND status = 'reserving'`,
} as const;

export const findStatement = {
  name: 'numbers-find-3',
  text: `SELECT ${columns('n')} FROM numbers n WHERE n.account_id = $1 AND n.id = $2`,
} as const;

export const listLiveStatement = {
  name: 'numbers-list-3',
  text: `
SELECT ${columns('n')} FROM numbers n
WHERE n.account_id = $1 AND n.status <> 'released' ORDER BY n.created_at DESC, n.id`,
} as const;

export const listReleasedStatement = {
  name: 'numbers-list-released-3',
  text: `
SELECT ${columns('n')} FROM numbers n
WHERE n.account_id = $1 AND n.status = 'released'
ORDER BY n.released_at DESC, n.id LIMIT ${limits.releasedNumbersMax}`,
} as const;

/** Number of an account's bought numbers, and its maximum. */
export const countStatement = {
  name: 'numbers-count-1',
  text: `
SELECT a.numbers_max AS max, (
  SELECT count(*)::int FROM numbers n
  WHERE n.account_id = a.id AND n.origin = 'purchase' AND n.status <> 'released'
) AS count
FROM accounts a WHERE a.id = $1`,
} as const;

/** State that decides whether an account may buy; an erased account has a reserved address. */
export const accountStateStatement = {
  name: 'numbers-account-1',
  text: `
SELECT blocked_at IS NOT NULL AS "isBlocked", email LIKE '%@deleted.invalid' AS "isErased" FROM accounts WHERE id = $1`,
} as const;

export interface AccountState {
  readonly isBlocked: boolean;
  readonly isErased: boolean;
}

/** Parameters: now, maximum. */
export const dueStatement = {
  name: 'numbers-due-3',
  text: `SELECT ${columns('n')} FROM numbers n WHERE n.due_at <= $1 ORDER BY n.due_at, n.id LIMIT $2`,
} as const;

export const pastDueOfAccountStatement = {
  name: 'numbers-past-due-3',
  text: `
SELECT ${columns('n')} FROM numbers n WHERE n.account_id = $1 AND n.status = 'past_due'
ORDER BY n.past_due_at, n.id`,
} as const;

/** Parameter: id. */
const lockStatement = {
  name: 'numbers-lock-1',
  text: `SELECT ${columns('n')} FROM numbers n WHERE n.id = $1 FOR NO KEY UPDATE`,
} as const;

/**
 * Parameters: number, whether it has a label, label, whether to renew, the earliest instant of the
 * resulting release or null, texts of strangers in a day. A number whose last month is over is due
 * at once.
 */
export const changeStatement = {
  name: 'numbers-change-1',
  text: `
UPDATE public.numbers n SET label = CASE WHEN $2 THEN $3 ELSE label END, auto_renew = coalesce($4, auto_renew),
  strangers_per_day = coalesce($6, strangers_per_day),
  release_at = CASE WHEN $4 IS NULL OR (NOT $4 AND NOT auto_renew) THEN release_at WHEN NOT $4 THEN $5::timestamptz END,
  due_at = CASE WHEN $4 IS NULL THEN due_at WHEN status = 'active' THEN renews_at ELSE past_due_at END
WHERE n.id = $1 AND n.status IN ('active', 'past_due') RETURNING ${columns('n')}`,
} as const;

/** Records that the next month was paid. */
export const paidStatement = {
  name: 'numbers-paid-1',
  text: `
UPDATE public.numbers n SET status = 'active', months_paid = months_paid + 1, past_due_at = NULL, past_due_notices = 0,
  renews_at = ${monthEnd('activated_at', 'months_paid + 1')}, due_at = ${monthEnd('activated_at', 'months_paid + 1')}
WHERE n.id = $1 RETURNING ${columns('n')}`,
} as const;

/** Parameters: number, since when, number of notices, next check. */
export const pastDueStatement = {
  name: 'numbers-past-due-since-1',
  text: `
UPDATE public.numbers n SET status = 'past_due', past_due_at = $2, past_due_notices = $3, due_at = $4
WHERE n.id = $1 RETURNING ${columns('n')}`,
} as const;

/** Parameters: id, next check. */
export const postponeStatement = {
  name: 'numbers-postpone-1',
  text: `UPDATE public.numbers SET due_at = $2 WHERE id = $1`,
} as const;

/** Parameters: number, reason, time of the release or null: at once, even if it was to be later. */
export const releasingStatement = {
  name: 'numbers-releasing-2',
  text: `
UPDATE public.numbers n SET status = 'releasing', release_reason = $2, past_due_at = NULL,
  release_at = $3::timestamptz, due_at = greatest($3::timestamptz, now())
WHERE n.id = $1 AND (
  n.status IN ('active', 'past_due')
  OR (n.status = 'releasing' AND n.release_at IS NOT NULL AND $3::timestamptz IS NULL)
) RETURNING ${columns('n')}`,
} as const;

/**
 * Makes a release final. No row for a release that is to wait, was undone or has ended. Parameters:
 * number, now.
 */
export const endNoticeStatement = {
  name: 'numbers-end-notice-1',
  text: `
UPDATE public.numbers n SET release_at = NULL
WHERE n.id = $1 AND n.status = 'releasing' AND (n.release_at IS NULL OR n.release_at <= $2)
RETURNING ${columns('n')}`,
} as const;

/** Locks a number whose release can be undone; returns whether its month is over. Parameter: id. */
export const undoableStatement = {
  name: 'numbers-undoable-1',
  text: `
SELECT renews_at <= now() AS "isOver" FROM numbers
WHERE id = $1 AND status = 'releasing' AND release_at IS NOT NULL FOR NO KEY UPDATE`,
} as const;

/**
 * Undoes a release that has not taken effect. The rent of a month that began meanwhile is due since
 * its start, and the number is renewed then, because it would end at once otherwise. Parameters: id
 * of a locked number, whether its month is over, which Citus would not judge within CASE.
 */
export const keepStatement = {
  name: 'numbers-keep-2',
  text: `
UPDATE public.numbers n SET status = CASE WHEN $2 THEN 'past_due' ELSE 'active' END,
  past_due_at = CASE WHEN $2 THEN renews_at END, past_due_notices = 0, auto_renew = auto_renew OR $2,
  release_reason = NULL, release_at = NULL, due_at = renews_at
WHERE n.id = $1 RETURNING ${columns('n')}`,
} as const;

export const releasedStatement = {
  name: 'numbers-release-end-1',
  text: `
UPDATE public.numbers n SET status = 'released', released_at = now(), due_at = NULL,
  rests_until = now() + interval '${limits.numberRestDays} days'
WHERE n.id = $1 AND n.status = 'releasing' RETURNING ${columns('n')}`,
} as const;

/** No row for a number that is filtered already, or does not work. */
export const filterStatement = {
  name: 'numbers-filter-1',
  text: `
UPDATE public.numbers n SET filtered_at = now()
WHERE n.id = $1 AND n.status IN ('active', 'past_due') AND n.filtered_at IS NULL RETURNING ${columns('n')}`,
} as const;

/** A number to be reserved. */
export interface NewNumber {
  readonly id: string;
  readonly accountId: string;
  readonly number: string;
  readonly type: NumberType;
  readonly country: string;
  readonly label: string | null;
  readonly autoRenew: boolean;
  readonly creditsPerMonth: number;
}

/** The carrier's data about a bought number. */
export interface BoughtNumber {
  readonly id: string;
  readonly carrier: number;
  readonly carrierId: string;
  readonly canMms: boolean;
}

/** Undefined keeps a value. */
interface NumberChanges {
  readonly label: string | null | undefined;
  readonly autoRenew: boolean | undefined;
  /** Without renewal, the earliest instant of the release; null: as soon as its month is over. */
  readonly releaseAt: Date | null;
  readonly strangersPerDay: number | undefined;
}

/** The numbers of accounts. */
@Injectable()
export class NumbersRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Throws `account_blocked` for a blocked or closed account. */
  async assertOpen(tx: EntityManager, accountId: string): Promise<void> {
    const [account] = await this.postgres.run<AccountState>(tx, accountStateStatement, [accountId]);
    if (!account || account.isBlocked)
      throw new DomainError('account_blocked', 'This account is blocked. You were not charged. Contact support.');
  }

  /** Returns whether the account was erased. */
  async isErased(tx: EntityManager, accountId: string): Promise<boolean> {
    const [account] = await this.postgres.run<AccountState>(tx, accountStateStatement, [accountId]);
    return account?.isErased !== false;
  }

  /** Returns whether the number is reserved now. */
  async reserve(tx: EntityManager, number: NewNumber): Promise<boolean> {
    const { id, accountId, type, country, label, autoRenew, creditsPerMonth } = number;
    const values = [id, number.number, accountId, type, country, label, autoRenew, creditsPerMonth];
    return (await this.postgres.run<object>(tx, reserveStatement, values)).length > 0;
  }

  /** Takes a reservation back. */
  async unreserve(tx: EntityManager, id: string): Promise<void> {
    await this.postgres.run(tx, unreserveStatement, [id]);
  }

  /** Returns undefined if the number was not reserved. */
  async activate(tx: EntityManager, bought: BoughtNumber): Promise<NumberRow | undefined> {
    const { id, carrier, carrierId, canMms } = bought;
    return this.updated(tx, activateStatement, [id, carrier, carrierId, canMms]);
  }

  /** Returns the row of a number that any account has. */
  async findLive(number: string): Promise<NumberRow | undefined> {
    return (await this.postgres.query<NumberRow>(liveNumberStatement, [number]))[0];
  }

  /**
   * Records that carriers filter the number. Returns undefined if that is known, or the number does
   * not work.
   */
  async filter(tx: EntityManager, id: string): Promise<NumberRow | undefined> {
    return this.updated(tx, filterStatement, [id]);
  }

  async find(accountId: string, id: string): Promise<NumberRow | undefined> {
    return (await this.postgres.query<NumberRow>(findStatement, [accountId, id]))[0];
  }

  /** Returns numbers, newest first; released numbers latest first and up to a bound. */
  async list(accountId: string, which: 'live' | 'released'): Promise<NumberRow[]> {
    const statement = which === 'live' ? listLiveStatement : listReleasedStatement;
    return this.postgres.query<NumberRow>(statement, [accountId]);
  }

  /** Returns due numbers of all accounts, longest due first. */
  async due(now: Date, max: number): Promise<NumberRow[]> {
    return this.postgres.query<NumberRow>(dueStatement, [now, max]);
  }

  async pastDueOf(accountId: string): Promise<NumberRow[]> {
    return this.postgres.query<NumberRow>(pastDueOfAccountStatement, [accountId]);
  }

  /** Locks a number until the transaction ends, and returns it. */
  async lock(tx: EntityManager, id: string): Promise<NumberRow | undefined> {
    return (await this.postgres.run<NumberRow>(tx, lockStatement, [id]))[0];
  }

  /** Undefined keeps a value. Returns undefined when the number cannot be changed. */
  async change(
    tx: EntityManager,
    id: string,
    { label, autoRenew, releaseAt, strangersPerDay }: NumberChanges,
  ): Promise<NumberRow | undefined> {
    const renewal = [autoRenew ?? null, releaseAt];
    const values = [id, label !== undefined, label ?? null, ...renewal, strangersPerDay ?? null];
    return this.updated(tx, changeStatement, values);
  }

  async paid(tx: EntityManager, id: string): Promise<NumberRow | undefined> {
    return this.updated(tx, paidStatement, [id]);
  }

  async pastDue(
    tx: EntityManager,
    id: string,
    { since, notices, lookAt }: { readonly since: Date; readonly notices: number; readonly lookAt: Date },
  ): Promise<NumberRow | undefined> {
    return this.updated(tx, pastDueStatement, [id, since, notices, lookAt]);
  }

  async postpone(tx: EntityManager, id: string, lookAt: Date): Promise<void> {
    await this.postgres.run(tx, postponeStatement, [id, lookAt]);
  }

  /**
   * Begins a release: nothing more is sent from the number, and the release takes effect at `at`;
   * null: at once. Returns undefined for a number without an account.
   */
  async releasing(
    tx: EntityManager,
    id: string,
    reason: ReleaseReason,
    at: Date | null = null,
  ): Promise<NumberRow | undefined> {
    return this.updated(tx, releasingStatement, [id, reason, at]);
  }

  /**
   * Ends the time in which a release can be undone. Returns undefined before that time, or without
   * a release.
   */
  async endNotice(tx: EntityManager, id: string, now: Date): Promise<NumberRow | undefined> {
    return this.updated(tx, endNoticeStatement, [id, now]);
  }

  /** Undoes a release. Returns undefined if there is none to undo. */
  async keep(tx: EntityManager, id: string): Promise<NumberRow | undefined> {
    const [undoable] = await this.postgres.run<{ isOver: boolean }>(tx, undoableStatement, [id]);
    return undoable && this.updated(tx, keepStatement, [id, undoable.isOver]);
  }

  /** Returns undefined if no release was under way. */
  async released(tx: EntityManager, id: string): Promise<NumberRow | undefined> {
    return this.updated(tx, releasedStatement, [id]);
  }

  private async updated(tx: EntityManager, statement: Statement, values: unknown[]): Promise<NumberRow | undefined> {
    return (await this.postgres.run<NumberRow>(tx, statement, values))[0];
  }

  /** Counts in the caller's transaction if there is one. */
  async count(accountId: string, tx?: EntityManager): Promise<{ readonly count: number; readonly max: number }> {
    const [row] = tx
      ? await this.postgres.run<{ count: number; max: number }>(tx, countStatement, [accountId])
      : await this.postgres.query<{ count: number; max: number }>(countStatement, [accountId]);
    return row ?? { count: 0, max: 0 };
  }
}
