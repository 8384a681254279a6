import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { OptOutsAnswer, OptOutsFilter, OptOutView } from '#contract/opt-outs.js';
import { saidTo } from '../messages/store/opt-outs.sql.js';
import { type CsvCell, csvFile, phoneCell } from '../platform/database/history.js';
import { Postgres } from '../platform/database/postgres.js';
import { dayAfter, newYorkTimestamp, startOfNewYorkDay } from '../rules/time.js';
import { parseRecipient, searchedDigits } from '../rules/phone-numbers.js';

const READ_MAX = limits.searchedRowsMax;

/** An opt-out is in force as long as acceptance finds it. */
const isInForce = `k.opted_in_at IS NULL AND EXISTS (
    SELECT FROM opt_outs o WHERE o.recipient = k.recipient AND ${saidTo('o')} IN (k.sender, k.service)
      AND (o.account_id IS NULL OR o.account_id = k.account_id)
  )`;

/**
 * Opt-outs below a position, newest first. Parameters: account, time and number of the position,
 * earliest time, a sender or null, true to include lifted opt-outs, maximum, a recipient or some of
 * its digits or null. Reads a bounded number of rows: the last row read is in the answer, so that a
 * search can go on below it.
 */
const listing = (person: string, matches: string) => `
SELECT id::text, recipient, sender, word, source, "optedOutAt", "optedInAt", "isInForce", matches,
  place = ${READ_MAX} AS "isLast"
FROM (
  SELECT *, ("isInForce" OR $6::boolean) AND ($5::text IS NULL OR sender = $5) AND ${matches} AS matches
  FROM (
    SELECT k.id, k.recipient, k.sender, k.word, k.source, k.opted_out_at AS "optedOutAt",
      k.opted_in_at AS "optedInAt", ${isInForce} AS "isInForce",
      row_number() OVER (ORDER BY k.opted_out_at DESC, k.id DESC)::int AS place
    FROM account_opt_outs k
    WHERE k.account_id = $1 AND (k.opted_out_at, k.id) < ($2::timestamptz, $3::bigint)
      AND k.opted_out_at >= $4::timestamptz${person}
    ORDER BY k.opted_out_at DESC, k.id DESC LIMIT ${READ_MAX}
  ) looked
) judged
WHERE matches OR place = ${READ_MAX}
ORDER BY "optedOutAt" DESC, judged.id DESC LIMIT $7`;

export const optOutsStatement = {
  name: 'account-opt-outs-2',
  text: listing('', '($8::text IS NULL OR strpos(recipient, $8) > 0)'),
} as const;

/** Opt-outs of one person, by the index of people. */
export const optOutsOfPersonStatement = {
  name: 'account-opt-outs-of-2',
  text: listing(' AND k.recipient = $8::text', 'true'),
} as const;

export interface ListedOptOut {
  readonly id: string;
  readonly recipient: string;
  readonly sender: string;
  readonly word: string | null;
  readonly source: 'reply' | 'carrier';
  readonly optedOutAt: Date;
  readonly optedInAt: Date | null;
  readonly isInForce: boolean;
  readonly matches: boolean;
  /** The bound was reached: older opt-outs were not read. */
  readonly isLast: boolean;
}

/** Filter of listed opt-outs. `until` is exclusive. */
export interface OptOutFilter {
  /** A whole number, or some digits. */
  readonly person?: { readonly number: string } | { readonly digits: string } | undefined;
  readonly sender?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Includes lifted opt-outs. */
  readonly all?: boolean | undefined;
}

const csvHead = ['Date (New York)', 'Time (UTC)', 'Number', 'Opted out of', 'By', 'Word', 'State', 'Opted in (UTC)'];

interface Position {
  readonly at: Date;
  readonly id: string;
}

/** Beyond every time, and a date that Postgres and JavaScript both know. */
const END_OF_TIME = new Date('9999-12-31T00:00:00Z');
const START_OF_TIME = new Date('1970-01-01T00:00:00Z');

/**
 * The opt-outs of the people whom an account has texted, or who have opted out of one of its own
 * numbers, newest first. Other accounts' people are excluded.
 */
@Injectable()
export class OptOutList {
  constructor(private readonly postgres: Postgres) {}

  /** Returns a page below the cursor, which comes from an earlier answer. */
  async page(accountId: string, filter: OptOutFilter, cursor: string | undefined): Promise<OptOutsAnswer> {
    const size = limits.optOutsPageSize;
    const read = await this.read(accountId, filter, cursor === undefined ? undefined : positionOf(cursor), size + 1);
    const shown = read.slice(0, size);
    const last = shown.at(-1);
    const hasMore = read.length > size || last?.isLast === true;
    return {
      success: 'true',
      optouts: shown.filter(({ matches }) => matches).map(viewOf),
      next_cursor: last && hasMore ? `${last.optedOutAt.getTime()}-${last.id}` : null,
    };
  }

  /** Returns all opt-outs as a CSV file, read in batches while it is consumed. */
  csv(accountId: string, filter: OptOutsFilter): AsyncGenerator<string> {
    return csvFile(csvHead, this.batches(accountId, filterOfDays(filter)), cellsOf);
  }

  /** Yields all opt-outs for the account's export, in batches that are read on demand. */
  async *all(accountId: string): AsyncGenerator<object[]> {
    for await (const optOuts of this.batches(accountId, { all: true })) yield optOuts.map(viewOf);
  }

  private async *batches(accountId: string, filter: OptOutFilter): AsyncGenerator<ListedOptOut[]> {
    let below: Position | undefined;
    let hasMore = true;
    while (hasMore) {
      const read = await this.read(accountId, filter, below, limits.exportBatchRowsMax);
      const last = read.at(-1);
      yield read.filter(({ matches }) => matches);
      below = last && { at: last.optedOutAt, id: last.id };
      hasMore = read.length === limits.exportBatchRowsMax || last?.isLast === true;
    }
  }

  private read(
    accountId: string,
    { person, sender, since = START_OF_TIME, until = END_OF_TIME, all = false }: OptOutFilter,
    below: Position | undefined,
    rowsMax: number,
  ): Promise<ListedOptOut[]> {
    const { at, id } = below !== undefined && below.at < until ? below : { at: until, id: '0' };
    const isWhole = person !== undefined && 'number' in person;
    return this.postgres.query<ListedOptOut>(isWhole ? optOutsOfPersonStatement : optOutsStatement, [
      accountId,
      at,
      id,
      since,
      sender ?? null,
      all,
      rowsMax,
      isWhole ? person.number : (person?.digits ?? null),
    ]);
  }
}

function positionOf(cursor: string): Position {
  const [at = '', id = ''] = cursor.split('-');
  return { at: new Date(Math.min(Number(at), END_OF_TIME.getTime())), id };
}

/** Returns the filter of the dashboard's days (New York) and of a number or some of its digits. */
export function filterOfDays({ number, from, to, status }: OptOutsFilter): OptOutFilter {
  const whole = number === undefined ? undefined : parseRecipient(number)?.e164;
  return {
    ...(number !== undefined && {
      person: whole === undefined ? { digits: searchedDigits(number) } : { number: whole },
    }),
    ...(from !== undefined && { since: startOfNewYorkDay(from) }),
    ...(to !== undefined && { until: startOfNewYorkDay(dayAfter(to)) }),
    all: status === 'all',
  };
}

function viewOf(optOut: ListedOptOut): OptOutView {
  const { recipient, sender, word, source, optedOutAt, optedInAt, isInForce: inForce } = optOut;
  return {
    number: recipient,
    // Messaging service ids stay internal.
    sender: sender.startsWith('MG') ? null : sender,
    status: inForce ? 'opted_out' : 'opted_in',
    opted_out_at: optedOutAt.toISOString(),
    opted_in_at: optedInAt?.toISOString() ?? null,
    source,
    word,
  };
}

const sourceWords = { reply: 'Reply', carrier: 'Carrier' } as const;

function cellsOf(optOut: ListedOptOut): CsvCell[] {
  const { number, sender, status, opted_out_at: at, opted_in_at: optedInAt, source, word } = viewOf(optOut);
  const state = status === 'opted_out' ? 'Opted out' : 'Opted in';
  const numbers = [phoneCell(number), sender === null ? null : phoneCell(sender)];
  return [newYorkTimestamp(optOut.optedOutAt), at, ...numbers, sourceWords[source], word, state, optedInAt];
}
