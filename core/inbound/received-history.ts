import { Injectable } from '@nestjs/common';
import type {
  ReceivedAnswer,
  ReceivedFilter,
  ReceivedQuery,
  ReceivedRow,
  ReceivedStatus,
} from '#contract/histories.js';
import { mediaInWords } from '#contract/media.js';
import { pasted } from '#contract/characters.js';
import { mediaOfReply } from '../media/media.sql.js';
import { type MediaOfReply, MediaViews } from '../media/media-views.js';
import { numberCondition, receivedSearch, textCondition } from '../messages/history/message-search.js';
import { Config } from '../platform/config/config.js';
import { type CsvCell, History, phoneCell } from '../platform/database/history.js';
import { NumberedRows, type Condition, type Numbered } from '../platform/database/numbered-rows.js';
import { creditAccounts, entriesOf } from '../credits/credits.sql.js';
import { Postgres } from '../platform/database/postgres.js';
import { publicMessageId } from '../rules/ids.js';
import { newYorkTimestamp } from '../rules/time.js';
import { InboundRepository, type InboundOutcome } from './inbound.repository.js';
import { hasLostText } from './lost-text.js';

export interface ReceivedMessage extends Numbered {
  readonly id: string;
  readonly sender: string;
  readonly recipient: string;
  readonly body: string;
  readonly segments: number;
  readonly status: ReceivedStatus;
  readonly credits: number;
  readonly media: readonly MediaOfReply[] | null;
}

export const receivedColumns = `id, sender, recipient, body, segments, status, credits,
  ${mediaOfReply('inbound_messages')} AS media`;

const csvHead = [
  'Date (New York)',
  'Time (UTC)',
  'Received From',
  'Received By',
  'Message',
  'Segments Used',
  'MessageId',
  'Status',
  'Credits',
  'Files',
];

/**
 * Compares replies with the ledger: each received reply has one charge of one credit, each charge
 * has its reply, and the numbers of an account have no gap.
 */
export const countMismatches = {
  name: 'inbound-mismatches-1',
  text: `
SELECT (
  SELECT count(*)
  FROM (SELECT id::text AS source_id, account_id, credits FROM inbound_messages WHERE status = 'received') m
  FULL JOIN ${entriesOf('inbound')} l USING (source_id)
  WHERE m.credits IS DISTINCT FROM -l.amount OR m.account_id IS DISTINCT FROM l.account_id
)::int + (
  SELECT count(*)
  FROM (
    SELECT account_id, count(*) AS messages, count(DISTINCT number) AS numbers, max(number) AS last
    FROM inbound_messages GROUP BY account_id
  ) m
  FULL JOIN ${creditAccounts} c USING (account_id)
  WHERE coalesce(c.received_count, 0) <> coalesce(m.messages, 0) OR m.numbers <> m.messages OR m.last <> m.messages
)::int AS mismatches`,
} as const;

/** Replies of an account, newest first, as pages and as CSV; counts for the operator. */
@Injectable()
export class ReceivedHistory {
  private readonly history: History<ReceivedMessage>;

  constructor(
    private readonly postgres: Postgres,
    private readonly inbound: InboundRepository,
    private readonly mediaViews: MediaViews,
    private readonly config: Config,
  ) {
    this.history = new History(
      new NumberedRows<ReceivedMessage>(postgres, { table: 'inbound_messages', columns: receivedColumns }),
    );
  }

  async page(accountId: string, query: ReceivedQuery): Promise<ReceivedAnswer> {
    const found = await this.history.page(accountId, query, query, conditionsOf(query));
    return { ...found, rows: found.rows.map((message) => this.rowOf(message)) };
  }

  /** Returns all matching replies as a CSV file, read in batches while it is consumed. */
  async csv(accountId: string, filter: ReceivedFilter): Promise<AsyncGenerator<string>> {
    return this.history.csv(accountId, filter, conditionsOf(filter), {
      head: csvHead,
      cellsOf: (message) => cellsOf(this.rowOf(message)),
    });
  }

  /** Yields all replies for the account's export, in batches that are read on demand. */
  async *all(accountId: string): AsyncGenerator<object[]> {
    for await (const messages of this.history.all(accountId))
      yield messages.map((message) => exportedOf(this.rowOf(message)));
  }

  private rowOf(message: ReceivedMessage): ReceivedRow {
    const { id, createdAt, sender, recipient, body, segments, status, credits, media } = message;
    return {
      messageId: publicMessageId(id),
      date: newYorkTimestamp(createdAt),
      at: createdAt.toISOString(),
      from: sender,
      to: recipient,
      message: body,
      segments,
      status,
      credits,
      media: this.mediaViews.of(media),
      isTextRemoved: hasLostText(message, this.config.retention.textDays),
    };
  }

  /**
   * Counts the replies of the last hours by their outcome on arrival, and the replies that are held
   * now, of any age.
   */
  async countOutcomes(hours: number): Promise<Record<InboundOutcome | 'heldOnArrival', number>> {
    const [counts, held] = await Promise.all([this.inbound.countOutcomes(hours), this.inbound.countHeldNow()]);
    const of = (outcome: InboundOutcome) => counts.get(outcome) ?? 0;
    return {
      held,
      received: of('received'),
      heldOnArrival: of('held'),
      limited: of('limited'),
      unrouted: of('unrouted'),
      resting: of('resting'),
      off: of('off'),
      full: of('full'),
    };
  }

  /**
   * Counts replies without exactly their charge, charges without their reply, and gaps in the
   * numbers.
   */
  async countMismatches(): Promise<number> {
    const rows = await this.postgres.query<{ mismatches: number }>(countMismatches, []);
    return rows.reduce((sum, { mismatches }) => sum + mismatches, 0);
  }
}

/** The first condition with an index leads the search. */
function conditionsOf({ search = '', number, status, text }: ReceivedFilter): Condition[] {
  return [
    ...(pasted(search) === '' ? [] : [receivedSearch(search)]),
    ...(number === undefined ? [] : [numberCondition('sender', number)]),
    ...(status === undefined ? [] : [statusCondition(status)]),
    ...(text === undefined ? [] : [textCondition(text)]),
  ];
}

/**
 * Repeats the literal of the partial index, which Postgres uses only if the condition implies its
 * predicate.
 */
function statusCondition(status: ReceivedStatus): Condition {
  if (status !== 'held') return { sql: (value) => `status = ${value}`, value: status, index: 'none' };
  return { sql: (value) => `status = 'held' AND status = ${value}`, value: status, index: 'numbers' };
}

function exportedOf({ date: _date, isTextRemoved: _isTextRemoved, ...row }: ReceivedRow): object {
  return row;
}

/** Shows the kind of its files for a message without a text. */
function cellsOf({ date, at, from, to, message, segments, messageId, status, credits, media }: ReceivedRow): CsvCell[] {
  const text = message || (mediaInWords(media) ?? '');
  return [date, at, phoneCell(from), phoneCell(to), text, segments, messageId, status, credits, media.length];
}
