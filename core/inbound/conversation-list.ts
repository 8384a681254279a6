import { Injectable } from '@nestjs/common';
import type { ConversationRow, ConversationsAnswer, ConversationsQuery } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import type { MessageStatus } from '#contract/messages.js';
import { mediaTypesOfReply } from '../media/media.sql.js';
import { bodyHolds } from '../messages/history/message-search.js';
import { fileTypesOfSent } from '../messages/files/message-files.sql.js';
import { holdsForAccount } from '../messages/store/opt-outs.sql.js';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { parseRecipient, searchedDigits } from '../rules/phone-numbers.js';
import { newYorkTimestamp } from '../rules/time.js';
import { hasLostText } from './lost-text.js';
import { ReplyThreads } from './reply-threads.js';

const PAGE_SIZE = limits.conversationsPageSize;
const READ_MAX = limits.conversationMessagesMax;
/**
 * Maximum of later messages to a person that are searched to decide whether the person belongs on
 * an earlier page.
 */
const NEWER_MAX = 1_000;

const TEXTS_MAX = limits.conversationTextsMax;

const sentColumns = 'number, status, sender, created_at';
const isText = `$5::text IS NULL OR ${bodyHolds('$5')}`;
/** A waiting thread: the person's reply is the latest message, and an answer is possible. */
const isUnanswered = `coalesce(t.waits, true) AND r.created_at IS NOT NULL
  AND (s.created_at IS NULL OR r.created_at > s.created_at)`;
const optedOut = (person: string) =>
  `(SELECT max(created_at) FROM opt_outs o
    WHERE recipient = ${person} AND ${holdsForAccount('o', '$1', 'o.sender IN (s.sender, r.recipient)')})`;

/**
 * People, latest message first. Parameters: account, numbers of a sent and of a received message
 * below which to look, digits of the person's number, a text of the messages, a tab.
 *
 * Reads the newest messages of either direction by their numbers; only down to `bound` are both
 * complete. Of messages with the same time the sent messages count as newer. `sent_below` and
 * `received_below` are the position after a message. A person with a message above the requested
 * position belongs on an earlier page. Every row has the position after the messages that were
 * read; without people there is one row without a person. Ids follow the numbers but for the clocks
 * of servers, hence the hour.
 */
export const conversationsStatement = {
  name: 'conversations-7',
  text: `
WITH top AS MATERIALIZED (
  SELECT sent, received, CASE WHEN $5::text IS NULL THEN ${READ_MAX} ELSE ${TEXTS_MAX} END AS read_max, uuid_v7_floor(
    (SELECT created_at FROM messages WHERE account_id = $1 AND number = sent) - interval '1 hour') AS sent_id
  FROM (
    SELECT
      least($2::bigint, coalesce((SELECT max(number) FROM messages WHERE account_id = $1), 0) + 1) AS sent,
      least($3::bigint, coalesce((SELECT max(number) FROM inbound_messages WHERE account_id = $1), 0) + 1) AS received
  ) numbers
), looked AS MATERIALIZED (
  SELECT true AS is_sent, number, created_at AS at, recipient AS person, (${isText}) AS matches FROM messages
  WHERE account_id = $1 AND number < (SELECT sent FROM top) AND number >= (SELECT sent - read_max FROM top)
  UNION ALL
  SELECT false, number, created_at, sender, (${isText}) FROM inbound_messages
  WHERE account_id = $1 AND number < (SELECT received FROM top) AND number >= (SELECT received - read_max FROM top)
), bound AS MATERIALIZED (
  SELECT at, is_sent, number FROM (SELECT DISTINCT ON (is_sent) * FROM looked ORDER BY is_sent, number) oldest
  WHERE number > 1 ORDER BY at DESC, is_sent DESC LIMIT 1
), placed AS MATERIALIZED (
  SELECT person, is_sent, number, matches, row_number() OVER newest AS place,
    NOT EXISTS (SELECT FROM bound) OR (at, is_sent, number) >= (SELECT at, is_sent, number FROM bound) AS is_complete,
    coalesce(min(number) FILTER (WHERE is_sent) OVER newest, (SELECT sent FROM top)) AS sent_below,
    coalesce(min(number) FILTER (WHERE NOT is_sent) OVER newest, (SELECT received FROM top)) AS received_below
  FROM looked WINDOW newest AS (ORDER BY at DESC, is_sent DESC, number DESC ROWS UNBOUNDED PRECEDING)
), people AS MATERIALIZED (
  SELECT * FROM (
    SELECT person, min(place) AS place, max(sent_below) AS sent_below, max(received_below) AS received_below,
      max(number) FILTER (WHERE is_sent) AS sent_number, max(number) FILTER (WHERE NOT is_sent) AS received_number
    FROM placed
    WHERE matches AND person <> '' AND person !~ '[•:@]' AND ($4::text IS NULL OR strpos(person, $4) > 0)
    GROUP BY person HAVING bool_or(is_complete) ORDER BY min(place)
  ) p
  WHERE ($6::text = 'all' OR EXISTS (
      SELECT FROM reply_threads t WHERE t.account_id = $1 AND t.person = p.person AND ($6 = 'replies' OR t.waits)))
    AND ($2::bigint IS NULL OR NOT coalesce((
      SELECT true FROM (
        SELECT account_id, number, body FROM messages
        WHERE recipient = person AND id >= (SELECT sent_id FROM top) LIMIT ${NEWER_MAX}
      ) newer WHERE account_id = $1 AND number >= (SELECT sent FROM top) AND (${isText}) LIMIT 1), false))
    AND ($3::bigint IS NULL OR NOT coalesce((
      SELECT true FROM inbound_messages
      WHERE account_id = $1 AND sender = person AND number >= (SELECT received FROM top) AND (${isText}) LIMIT 1),
      false))
  LIMIT ${PAGE_SIZE + 1}
), shown AS (
  SELECT place, p.person, s.status AS "sentStatus", m.is_sent AS "isSent", m.body AS text,
    m.media_types AS "mediaTypes", m.created_at AS at,
    ${optedOut('p.person')} AS "optedOutAt", ${isUnanswered} AS "isUnanswered",
    sent_below::float8 AS "sentBelow", received_below::float8 AS "receivedBelow"
  FROM people p
  LEFT JOIN LATERAL (
    SELECT ${sentColumns} FROM messages WHERE $5 IS NULL AND account_id = $1 AND number = sent_number
    UNION ALL
    (SELECT ${sentColumns} FROM messages
     WHERE ($5 IS NOT NULL OR sent_number IS NULL) AND account_id = $1 AND recipient = p.person
     ORDER BY id DESC LIMIT 1)
  ) s ON true
  LEFT JOIN LATERAL (
    SELECT recipient, created_at FROM inbound_messages
    WHERE account_id = $1 AND sender = p.person ORDER BY number DESC LIMIT 1
  ) r ON true
  LEFT JOIN reply_threads t ON t.account_id = $1 AND t.person = p.person
  LEFT JOIN LATERAL (
    SELECT * FROM (
      SELECT body, created_at, true AS is_sent, ${fileTypesOfSent('messages')} AS media_types FROM messages
      WHERE account_id = $1 AND number = sent_number
      UNION ALL
      SELECT body, created_at, false, ${mediaTypesOfReply('inbound_messages')} FROM inbound_messages
      WHERE account_id = $1 AND number = received_number
    ) both_ways ORDER BY created_at DESC, is_sent DESC LIMIT 1
  ) m ON true
)
SELECT (SELECT at FROM bound) AS "searchedAt", e.sent::float8 AS "endSent", e.received::float8 AS "endReceived",
  person, "isSent", text, "mediaTypes", at, "sentStatus", "optedOutAt", "isUnanswered", "sentBelow", "receivedBelow"
FROM (
  SELECT coalesce(min(sent_below), (SELECT sent FROM top)) AS sent, coalesce(min(received_below),
    (SELECT received FROM top)) AS received
  FROM placed WHERE is_complete
) e
LEFT JOIN shown ON true ORDER BY place`,
} as const;

/**
 * People who have replied, latest reply first. Parameters: account, then the parameters of the
 * threads.
 */
const threads = (which: string) => `
SELECT p.person, p.last_number::float8 AS number, r.body AS text, ${mediaTypesOfReply('r')} AS "mediaTypes",
  r.created_at AS at, s.status AS "sentStatus",
  ${optedOut('p.person')} AS "optedOutAt", ${isUnanswered} AS "isUnanswered"
FROM (SELECT person, last_number, waits FROM reply_threads WHERE account_id = $1 AND ${which}) p
JOIN inbound_messages r ON r.account_id = $1 AND r.number = p.last_number
LEFT JOIN LATERAL (
  SELECT ${sentColumns} FROM messages WHERE account_id = $1 AND recipient = p.person ORDER BY id DESC LIMIT 1
) s ON true
CROSS JOIN LATERAL (SELECT p.waits) t
ORDER BY p.last_number DESC`;

/** Parameters: account, number of a reply below which to look, digits of the person's number. */
export const repliesStatement = {
  name: 'conversations-replies-2',
  text: threads(`last_number < $2::bigint AND ($3::text IS NULL OR strpos(person, $3) > 0)
  ORDER BY last_number DESC LIMIT ${PAGE_SIZE + 1}`),
} as const;

/** Parameters: account, people. */
export const repliesOfStatement = {
  name: 'conversations-replies-of-2',
  text: threads('person = ANY($2::text[])'),
} as const;

/**
 * Range of the messages that were read: time of the oldest if there are older messages, and the
 * position after it.
 */
export interface ConversationsEnd {
  readonly searchedAt: Date | null;
  readonly endSent: number;
  readonly endReceived: number;
}

export interface ConversationPerson {
  readonly person: string;
  readonly isSent: boolean;
  readonly text: string;
  readonly mediaTypes: readonly (string | null)[] | null;
  readonly at: Date;
  readonly sentStatus: MessageStatus | null;
  readonly optedOutAt: Date | null;
  readonly isUnanswered: boolean;
  readonly sentBelow: number;
  readonly receivedBelow: number;
}

type Row = ConversationsEnd & (ConversationPerson | { readonly person: null });

/** A person who has replied, with the latest reply. */
export interface ReplyPerson extends Pick<
  ConversationPerson,
  'person' | 'text' | 'mediaTypes' | 'at' | 'sentStatus' | 'optedOutAt' | 'isUnanswered'
> {
  readonly number: number;
}

/** The people with whom an account exchanges messages. */
@Injectable()
export class ConversationList {
  constructor(
    private readonly postgres: Postgres,
    private readonly replyThreads: ReplyThreads,
    private readonly config: Config,
  ) {}

  /** Returns a page. Costs the same at any position. */
  async page(accountId: string, query: ConversationsQuery): Promise<ConversationsAnswer> {
    if (query.tab === 'all' || query.text !== undefined) return this.read(accountId, query);
    const digits = query.number === undefined ? null : digitsOf(query.number);
    const { below } = query;
    return query.tab === 'replies' ? this.replies(accountId, below, digits) : this.waiting(accountId, below, digits);
  }

  /** Reads all people, latest message first, or latest message with the text. */
  private async read(
    accountId: string,
    { sent, received, number, text, tab }: ConversationsQuery,
  ): Promise<ConversationsAnswer> {
    const rows = await this.postgres.query<Row>(conversationsStatement, [
      accountId,
      sent ?? null,
      received ?? null,
      number === undefined ? null : digitsOf(number),
      text ?? null,
      tab,
    ]);
    const people = rows.flatMap((row) => (row.person === null ? [] : [row]));
    const last = people.length > PAGE_SIZE ? people[PAGE_SIZE - 1] : undefined;
    const [end] = rows;
    const shown = people.slice(0, PAGE_SIZE).map((person) => this.conversationOf(person));
    const conversations = tab === 'unanswered' ? shown.filter(({ isUnanswered: waits }) => waits) : shown;
    if (last) {
      const next = { sent: last.sentBelow, received: last.receivedBelow };
      return { conversations, searchedTo: null, next };
    }
    if (!end?.searchedAt) return { conversations, searchedTo: null, next: null };
    const next = { sent: end.endSent, received: end.endReceived };
    return { conversations, searchedTo: newYorkTimestamp(end.searchedAt), next };
  }

  private async replies(
    accountId: string,
    below = Number.MAX_SAFE_INTEGER,
    digits: string | null,
  ): Promise<ConversationsAnswer> {
    const people = await this.postgres.query<ReplyPerson>(repliesStatement, [accountId, below, digits]);
    const shown = people.slice(0, PAGE_SIZE);
    const last = shown.at(-1);
    return {
      conversations: shown.map((reply) => this.replyOf(reply)),
      searchedTo: null,
      next: people.length > PAGE_SIZE && last ? { below: last.number } : null,
    };
  }

  private async waiting(
    accountId: string,
    below: number | undefined,
    digits: string | null,
  ): Promise<ConversationsAnswer> {
    const query = { below, digits, threadsMax: PAGE_SIZE + 1 };
    const { threads: found, endsAt } = await this.replyThreads.waiting(accountId, query);
    const shown = found.slice(0, PAGE_SIZE);
    const people = await this.postgres.query<ReplyPerson>(repliesOfStatement, [
      accountId,
      shown.map(({ person }) => person),
    ]);
    const end = found.length > PAGE_SIZE ? (shown.at(-1)?.number ?? null) : endsAt;
    return {
      conversations: people.map((reply) => this.replyOf(reply)),
      searchedTo: null,
      next: end === null ? null : { below: end },
    };
  }

  private conversationOf({ person, isSent, at, optedOutAt, ...row }: ConversationPerson): ConversationRow {
    const { text, mediaTypes, sentStatus, isUnanswered: waits } = row;
    // The query does not read whether a reply is held: an empty text counts as erased after the
    // same time.
    const reply = { body: text, sender: person, status: 'received', createdAt: at } as const;
    return {
      number: person,
      country: parseRecipient(person)?.country ?? null,
      direction: isSent ? 'sent' : 'received',
      text,
      isTextRemoved: isSent ? text === '' : hasLostText(reply, this.config.retention.textDays),
      mediaTypes: [...(mediaTypes ?? [])],
      at: at.toISOString(),
      sentStatus,
      optedOutAt: optedOutAt?.toISOString() ?? null,
      isUnanswered: waits && optedOutAt === null,
    };
  }

  private replyOf(reply: ReplyPerson): ConversationRow {
    return this.conversationOf({ ...reply, isSent: false, sentBelow: 0, receivedBelow: 0 });
  }
}

/**
 * Returns a whole number in E.164 format, otherwise the typed digits, anywhere or at the start
 * after '+'.
 */
function digitsOf(typed: string): string {
  return parseRecipient(typed)?.e164 ?? searchedDigits(typed);
}
