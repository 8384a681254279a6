import { Injectable } from '@nestjs/common';
import type { DeliverabilityAnswer, DeliverabilityDays } from '#contract/deliverability.js';
import { deliveryErrorOf } from '#contract/delivery-errors.js';
import type { ReasonsAnswer } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { NamedKeys } from '../keys/named-keys.js';
import { type CsvCell, csvFile } from '../platform/database/history.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { daysUntil, newYorkDay } from '../rules/time.js';
import { ACCOUNT_KEY } from '../keys/callers.sql.js';

/**
 * An account's figures as the database sums them up: each row is of one day, one country, one key or
 * one reason, and the other three are null.
 */
export interface DeliverySum {
  readonly day: string | null;
  readonly country: string | null;
  readonly keyId: string | null;
  readonly reason: string | null;
  readonly messages: number;
  readonly delivered: number;
}

/** Parameters: account, first and last day. */
export const deliverySumsStatement = {
  name: 'delivery-sums-2',
  text: `
SELECT to_char(day, 'YYYY-MM-DD') AS day, country, key_id AS "keyId", reason, sum(messages)::float8 AS messages,
  coalesce(sum(messages) FILTER (WHERE reason = ''), 0)::float8 AS delivered
FROM delivery_days WHERE account_id = $1 AND day BETWEEN $2 AND $3 AND messages > 0
GROUP BY GROUPING SETS ((day), (country), (key_id), (reason))
ORDER BY sum(messages) DESC, day, country, key_id, reason`,
} as const;

/** A count as it is stored. */
export interface DeliveryCount {
  readonly day: string;
  readonly country: string;
  readonly keyId: string;
  readonly reason: string;
  readonly messages: number;
}

/** Parameters: account, first and last day. */
export const deliveryCountsStatement = {
  name: 'delivery-counts-2',
  text: `
SELECT to_char(day, 'YYYY-MM-DD') AS day, country, key_id AS "keyId", reason, messages::float8 AS messages
FROM delivery_days WHERE account_id = $1 AND day BETWEEN $2 AND $3 AND messages > 0
ORDER BY delivery_days.day DESC, country, key_id, reason`,
} as const;

/** Parameters: account, first and last day, maximum of reasons. */
export const deliveryReasonsStatement = {
  name: 'delivery-reasons-1',
  text: `
SELECT reason FROM delivery_days WHERE account_id = $1 AND day BETWEEN $2 AND $3 AND reason <> ''
GROUP BY reason ORDER BY sum(messages) DESC, reason LIMIT $4`,
} as const;

const csvHead = ['Day (New York)', 'Country', 'Key', 'Key id', 'Delivered', 'Reason', 'Code', 'Messages'];

/** Outcomes of an account's messages by reason, country, day and key. */
@Injectable()
export class Deliverability {
  constructor(
    private readonly postgres: Postgres,
    private readonly namedKeys: NamedKeys,
  ) {}

  /** Throws `invalid_request` when the days are too many or in the wrong order. */
  async show(accountId: string, asked: DeliverabilityDays, now = new Date()): Promise<DeliverabilityAnswer> {
    const { from, to } = rangeOf(asked, now);
    const sums = await this.postgres.query<DeliverySum>(deliverySumsStatement, [accountId, from, to]);
    const nameOf = await this.keyNames(accountId);
    const days = sums.flatMap(({ day, ...sum }) => (day === null ? [] : [{ day, ...endedIn(sum) }]));
    const total = (figure: 'messages' | 'delivered') => days.reduce((sum, one) => sum + one[figure], 0);
    const most = limits.deliverabilityRowsMax;
    return {
      success: 'true',
      from,
      to,
      messages: total('messages'),
      delivered: total('delivered'),
      reasons: sums
        .flatMap(({ reason, messages }) => (reason ? [{ ...wordsOf(reason), messages }] : []))
        .slice(0, most),
      countries: sums
        .flatMap(({ country, ...sum }) => (country === null ? [] : [{ country, ...endedIn(sum) }]))
        .slice(0, most),
      days: days.sort((one, other) => (one.day < other.day ? -1 : 1)),
      keys: sums
        .flatMap(({ keyId, ...sum }) => (keyId === null ? [] : [{ ...keyOf(keyId, nameOf), ...endedIn(sum) }]))
        .slice(0, most),
    };
  }

  /** Returns every count as a CSV file, the newest day first. Throws as {@link show}. */
  async csv(accountId: string, asked: DeliverabilityDays, now = new Date()): Promise<AsyncGenerator<string>> {
    const { from, to } = rangeOf(asked, now);
    const counts = await this.postgres.query<DeliveryCount>(deliveryCountsStatement, [accountId, from, to]);
    const nameOf = await this.keyNames(accountId);
    return csvFile(csvHead, [counts], (count) => cellsOf(count, nameOf));
  }

  /** Returns why messages of the last days were not delivered, the most frequent reason first. */
  async reasons(accountId: string, now = new Date()): Promise<ReasonsAnswer> {
    const last = newYorkDay(now);
    const first = daysUntil(last, limits.deliverabilityDaysMax)[0] ?? last;
    const values = [accountId, first, last, limits.deliverabilityRowsMax];
    const rows = await this.postgres.query<{ readonly reason: string }>(deliveryReasonsStatement, values);
    return { reasons: rows.map(({ reason }) => ({ code: reason, text: deliveryErrorOf(reason).reason })) };
  }

  private async keyNames(accountId: string): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.namedKeys.list(accountId)).map(({ id, name }) => [id, name]));
  }
}

/**
 * Returns the requested days, or the last days. Throws `invalid_request` for too many days or the
 * wrong order.
 */
export function rangeOf({ from, to }: DeliverabilityDays, now: Date): { from: string; to: string } {
  const last = to ?? newYorkDay(now);
  const first = from ?? daysUntil(last, limits.deliverabilityDaysDefault)[0] ?? last;
  if (first > last) throw new DomainError('invalid_request', 'from: must not be after to.');
  const earliest = daysUntil(last, limits.deliverabilityDaysMax)[0] ?? last;
  if (first < earliest)
    throw new DomainError(
      'invalid_request',
      `from: there are at most ${limits.deliverabilityDaysMax} days from it to "to".`,
    );
  return { from: first, to: last };
}

function endedIn({ messages, delivered }: Pick<DeliverySum, 'messages' | 'delivered'>) {
  return { messages, delivered };
}

function wordsOf(code: string) {
  const { reason: text, permanent } = deliveryErrorOf(code);
  return { code, text, permanent };
}

function keyOf(keyId: string, nameOf: ReadonlyMap<string, string>) {
  return keyId === ACCOUNT_KEY ? { key_id: null, name: null } : { key_id: keyId, name: nameOf.get(keyId) ?? null };
}

function cellsOf(count: DeliveryCount, nameOf: ReadonlyMap<string, string>): CsvCell[] {
  const { day, country, keyId, reason, messages } = count;
  const { name, key_id: id } = keyOf(keyId, nameOf);
  const why = reason === '' ? [null, null] : [wordsOf(reason).text, reason];
  return [day, country, name, id, reason === '' ? 'yes' : 'no', ...why, messages];
}
