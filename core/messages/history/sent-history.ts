import { Injectable } from '@nestjs/common';
import type {
  SentAnswer,
  SentDetailsAnswer,
  SentFilter,
  SentQuery,
  SentRow,
  TimelineStep,
} from '#contract/histories.js';
import { reasonOf } from '#contract/delivery-errors.js';
import { mediaInWords } from '#contract/media.js';
import { pasted } from '#contract/characters.js';
import { limits } from '#contract/limits.js';
import type { MessageStatus, ReceiptLevel } from '#contract/messages.js';
import { type Condition, type Numbered, NumberedRows } from '../../platform/database/numbered-rows.js';
import { LedgerHistory } from '../../credits/ledger-history.js';
import { type CsvCell, History, phoneCell } from '../../platform/database/history.js';
import { Postgres } from '../../platform/database/postgres.js';
import { type MediaOfReply, MediaViews } from '../../media/media-views.js';
import { messageIdFromPublic, publicMessageId } from '../../rules/ids.js';
import { newYorkTimestamp } from '../../rules/time.js';
import { segmentsOf } from '../../rules/segments.js';
import { messageNotFound } from '../store/messages.repository.js';
import { filesOfSent } from '../files/message-files.sql.js';
import { receiptLevelOf } from '../store/receipt-level.sql.js';
import { numberCondition, sentSearch, textCondition } from './message-search.js';
import { reasonCodeSql } from '../../rules/carrier-code.js';

interface SentMessage extends Numbered {
  readonly id: string;
  readonly recipient: string;
  readonly body: string;
  readonly segments: number;
  readonly status: MessageStatus;
  readonly credits: number;
  readonly refunded: number;
  readonly reference: string | null;
  readonly errorCode: string | null;
  readonly carrierError: number | null;
  readonly sendAt: Date | null;
  readonly media: readonly MediaOfReply[] | null;
}

/** A sent message with the fields that only its own page shows. */
export interface SentMessageDetails extends SentMessage {
  readonly sender: string;
  readonly claimedAt: Date | null;
  readonly sentAt: Date | null;
  readonly finishedAt: Date | null;
  readonly receiptLevel: ReceiptLevel;
}

export const columns =
  'id, recipient, body, segments, status, credits, refunded, reference, error_code AS "errorCode", ' +
  `carrier_error AS "carrierError", send_at AS "sendAt", ${filesOfSent('messages')} AS media`;

export const sentDetailsStatement = {
  name: 'sent-details-5',
  text: `SELECT number::float8 AS number, created_at AS "createdAt", ${columns}, sender,
    claimed_at AS "claimedAt", sent_at AS "sentAt", finished_at AS "finishedAt",
    ${receiptLevelOf('messages')} AS "receiptLevel"
    FROM messages WHERE id = $1 AND account_id = $2`,
} as const;

const csvHead = [
  'Date (New York)',
  'Time (UTC)',
  'Sent To',
  'Message',
  'Segments Used',
  'MessageId',
  'Status',
  'Credits',
  'Refunded',
  'Error',
  'Carrier Error',
  'Reason',
  'Reference',
  'Scheduled (UTC)',
  'Files',
];

/** The messages that an account has sent, newest first. */
@Injectable()
export class SentHistory {
  private readonly history: History<SentMessage>;

  constructor(
    private readonly postgres: Postgres,
    private readonly ledger: LedgerHistory,
    private readonly mediaViews: MediaViews,
  ) {
    this.history = new History(new NumberedRows<SentMessage>(postgres, { table: 'messages', columns }));
  }

  async page(accountId: string, query: SentQuery): Promise<SentAnswer> {
    const found = await this.history.page(accountId, query, query, await this.conditionsOf(accountId, query));
    return { ...found, rows: found.rows.map((message) => this.rowOf(message)) };
  }

  /** Streams all messages as a CSV file. */
  async csv(accountId: string, filter: SentFilter): Promise<AsyncGenerator<string>> {
    const conditions = await this.conditionsOf(accountId, filter);
    return this.history.csv(accountId, filter, conditions, {
      head: csvHead,
      cellsOf: (message) => cellsOf(this.rowOf(message), message.carrierError),
    });
  }

  /** Returns all messages for the account's export, in batches that are read on demand. */
  async *all(accountId: string): AsyncGenerator<object[]> {
    for await (const messages of this.history.all(accountId))
      yield messages.map((message) => exportedOf(this.rowOf(message)));
  }

  private rowOf(message: SentMessage): SentRow {
    const { id, createdAt, recipient, body, segments, status, credits, refunded, reference, sendAt, media } = message;
    return {
      messageId: publicMessageId(id),
      date: newYorkTimestamp(createdAt),
      at: createdAt.toISOString(),
      to: recipient,
      message: body,
      segments,
      status,
      credits,
      refunded,
      error: message.errorCode,
      reason: reasonOf(message.errorCode, message.carrierError),
      reference,
      sendAt: sendAt?.toISOString() ?? null,
      media: this.mediaViews.of(media),
    };
  }

  /**
   * One message: its timeline, price and ledger entries. Throws `message_not_found`, also for
   * another account's message.
   */
  async show(accountId: string, publicId: string): Promise<SentDetailsAnswer> {
    const id = messageIdFromPublic(publicId);
    const [message] = id ? await this.postgres.query<SentMessageDetails>(sentDetailsStatement, [id, accountId]) : [];
    if (!message) throw messageNotFound(publicId);
    return {
      ...this.rowOf(message),
      encoding: segmentsOf(message.body).encoding,
      from: message.sentAt ? message.sender : null,
      carrierError: message.carrierError,
      receiptLevel: message.receiptLevel,
      timeline: timelineOf(message),
      ledger: await this.ledger.ofMessage(accountId, message.id),
    };
  }

  /**
   * The first condition with an index leads a search: a whole phone number finds fewer rows than a
   * state.
   */
  private async conditionsOf(
    accountId: string,
    { search = '', number, status, reason, text }: SentFilter,
  ): Promise<Condition[]> {
    return [
      ...(pasted(search) === '' ? [] : [await sentSearch(this.postgres, accountId, search)]),
      ...(number === undefined ? [] : [numberCondition('recipient', number)]),
      ...(status === undefined ? [] : [statusCondition(status)]),
      ...(reason === undefined ? [] : [anyFailure, reasonCondition(reason)]),
      ...(text === undefined ? [] : [textCondition(text)]),
    ];
  }
}

/**
 * Repeats the condition of the partial index, which Postgres uses only when it can see that the
 * rows are in it.
 */
function failedCondition(statuses: readonly MessageStatus[]): Condition {
  const sql = (value: string) => `error_code IS NOT NULL AND status = ANY(${value}::text[])`;
  return { sql, value: statuses, index: 'numbers' };
}

function statusCondition(status: MessageStatus): Condition {
  if (status === 'undelivered' || status === 'failed') return failedCondition([status]);
  return { sql: (value) => `status = ${value}`, value: status, index: 'none' };
}

/** Leads a search for a reason, so that it reads a bounded number of failures. */
const anyFailure = failedCondition(['undelivered', 'failed']);

/** See `reasonCodeOf` in contract/delivery-errors. */
function reasonCondition(reason: string): Condition {
  return { sql: (value) => `${reasonCodeSql} = ${value}`, value: reason, index: 'none' };
}

function exportedOf({ date: _date, ...row }: SentRow): object {
  return row;
}

/** A message without a text shows the kind of its files in its place. */
function cellsOf(row: SentRow, carrierError: number | null): CsvCell[] {
  const { date, at, to, message, segments, messageId, status, credits, refunded, reference, sendAt, media } = row;
  const text = message || (mediaInWords(media) ?? '');
  const why = [row.error, carrierError, row.reason?.text ?? null];
  const shown = [date, at, phoneCell(to), text, segments, messageId, status, credits, refunded];
  return [...shown, ...why, reference, sendAt, media.length];
}

/**
 * Returns the states that the message has reached, in order of time: a rerouted message may have
 * been sent before it is sending. A released message is back in the first state.
 */
export function timelineOf(
  message: Pick<SentMessageDetails, 'status' | 'createdAt' | 'sendAt' | 'claimedAt' | 'sentAt' | 'finishedAt'>,
): TimelineStep[] {
  const { status, createdAt, sendAt, claimedAt, sentAt, finishedAt } = message;
  const end = isFinal(status) ? status : undefined;
  // A message that was canceled before its time was never queued.
  const wasQueued = status !== 'scheduled' && (sendAt === null || finishedAt === null || sendAt <= finishedAt);
  return [
    ...(sendAt ? stepOf('scheduled', createdAt) : []),
    ...(wasQueued ? stepOf('queued', sendAt ?? createdAt) : []),
    ...(status === 'queued' ? [] : stepOf('sending', claimedAt)),
    ...stepOf('sent', sentAt),
    ...(end ? stepOf(end, finishedAt) : []),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function isFinal(status: MessageStatus): boolean {
  return status === 'delivered' || status === 'undelivered' || status === 'failed' || status === 'canceled';
}

function stepOf(status: TimelineStep['status'], at: Date | null): TimelineStep[] {
  return at ? [{ status, date: newYorkTimestamp(at), at: at.toISOString() }] : [];
}

/** A scheduled message that is later than this counts as queued: it waits for a worker. */
const LATE_DAYS = 1;

/**
 * Counts an account's messages by New York day of acceptance and by state, except queued messages.
 * Parameters: account, days. All parts see one snapshot, so that no message counts twice. The
 * previous release counts states in `message_days` and ends also in `delivery_days`; its ends are
 * read there.
 */
export const statesStatement = {
  name: 'message-days-4',
  text: `
WITH waiting AS (
  SELECT (created_at AT TIME ZONE 'America/New_York')::date AS day, count(*) AS scheduled
  FROM messages
  WHERE account_id = $1 AND send_at IS NOT NULL AND send_at > now() - interval '${LATE_DAYS} days'
    AND id >= uuid_v7_floor(now() - interval '${limits.sendAtDaysMax + LATE_DAYS + 1} days')
    AND status = 'scheduled'
  GROUP BY day
),
counted AS (
  SELECT day, sum(sent) AS sent, sum(delivered) AS delivered, sum(lost) - sum(failed) AS undelivered,
    sum(failed) AS failed, sum(canceled) AS canceled
  FROM (
    SELECT day, sent, CASE reason WHEN '' THEN messages ELSE 0 END AS delivered,
      CASE reason WHEN '' THEN 0 ELSE messages END AS lost, failed, canceled
    FROM delivery_days WHERE account_id = $1 AND day = ANY($2::date[])
    UNION ALL
    SELECT day, sent, 0, 0, failed, canceled FROM message_days WHERE account_id = $1 AND day = ANY($2::date[])
  ) counts
  GROUP BY day
)
SELECT day::text, coalesce(scheduled, 0)::float8 AS scheduled, coalesce(greatest(0, sent), 0)::float8 AS sent,
  coalesce(delivered, 0)::float8 AS delivered, coalesce(undelivered, 0)::float8 AS undelivered,
  coalesce(failed, 0)::float8 AS failed, coalesce(canceled, 0)::float8 AS canceled
FROM counted FULL JOIN waiting USING (day)
WHERE day = ANY($2::date[])`,
} as const;
