import { Injectable } from '@nestjs/common';
import type { ConversationRow, ConversationsAnswer, ConversationsQuery } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import type { MessageStatus } from '#contract/messages.js';
import { Postgres } from '../platform/database/postgres.js';
import { parseRecipient, searchedDigits } from '../rules/phone-numbers.js';
import { newYorkTimestamp } from '../rules/time.js';

const PAGE_SIZE = limits.conversationsPageSize;
const READ_MAX = limits.conversationMessagesMax;
/**
 * How many messages that a person has got from any account since are searched for one that puts the
 * person on an earlier page.
 */
const NEWER_MAX = 1_000;

const sentColumns = 'number, body, status, sender, created_at';

/**
 * People, the latest message first. Parameters: account, numbers of a sent and of a received
 * message below which to look, digits of the person's number.
 *
 * Reads the newest messages of either direction by their numbers; only down to `bound` are both
 * complete. Of messages with the same time the sent ones count as newer. `sent_below` and
 * `received_below` are the position after a message. A person with a message above the position
 * asked for stands on an earlier page. Every row has the position after the messages that were
 * read; there is one without a person if there are no people. Ids follow the numbers but for the
 * clocks of servers, hence the hour.
 */
export const conversationsStatement = {
  name: 'conversations-1',
  text: `
WITH top AS MATERIALIZED (
  SELECT sent, received, uuid_v7_floor(
    (SELECT created_at FROM messages WHERE account_id = $1 AND number = sent) - interval '1 hour') AS sent_id
  FROM (
    SELECT
      least($2::bigint, coalesce((SELECT max(number) FROM messages WHERE account_id = $1), 0) + 1) AS sent,
      least($3::bigint, coalesce((SELECT max(number) FROM inbound_messages WHERE account_id = $1), 0) + 1) AS received
  ) numbers
), looked AS MATERIALIZED (
  SELECT true AS is_sent, number, created_at AS at, recipient AS person FROM messages
  WHERE account_id = $1 AND number < (SELECT sent FROM top) AND number >= (SELECT sent FROM top) - ${READ_MAX}
  UNION ALL
  SELECT false, number, created_at, sender FROM inbound_messages
  WHERE account_id = $1 AND number < (SELECT received FROM top) AND number >= (SELECT received FROM top) - ${READ_MAX}
), bound AS MATERIALIZED (
  SELECT at, is_sent, number FROM (SELECT DISTINCT ON (is_sent) * FROM looked ORDER BY is_sent, number) oldest
  WHERE number > 1 ORDER BY at DESC, is_sent DESC LIMIT 1
), placed AS MATERIALIZED (
  SELECT person, is_sent, number, row_number() OVER newest AS place,
    NOT EXISTS (SELECT FROM bound) OR (at, is_sent, number) >= (SELECT at, is_sent, number FROM bound) AS is_complete,
    coalesce(min(number) FILTER (WHERE is_sent) OVER newest, (SELECT sent FROM top)) AS sent_below,
    coalesce(min(number) FILTER (WHERE NOT is_sent) OVER newest, (SELECT received FROM top)) AS received_below
  FROM looked WINDOW newest AS (ORDER BY at DESC, is_sent DESC, number DESC ROWS UNBOUNDED PRECEDING)
), people AS MATERIALIZED (
  SELECT * FROM (
    SELECT person, min(place) AS place, max(sent_below) AS sent_below, max(received_below) AS received_below,
      max(number) FILTER (WHERE is_sent) AS sent_number
    FROM placed WHERE person <> '' AND strpos(person, '•') = 0 AND ($4::text IS NULL OR strpos(person, $4) > 0)
    GROUP BY person HAVING bool_or(is_complete) ORDER BY min(place)
  ) p
  WHERE ($2::bigint IS NULL OR NOT coalesce((
      SELECT true FROM (
        SELECT account_id, number FROM messages
        WHERE recipient = person AND id >= (SELECT sent_id FROM top) LIMIT ${NEWER_MAX}
      ) newer WHERE account_id = $1 AND number >= (SELECT sent FROM top) LIMIT 1), false))
    AND ($3::bigint IS NULL OR NOT coalesce((
      SELECT true FROM inbound_messages
      WHERE account_id = $1 AND sender = person AND number >= (SELECT received FROM top) LIMIT 1), false))
  LIMIT ${PAGE_SIZE + 1}
), shown AS (
  SELECT place, person, s.status AS "sentStatus", NOT is_received AS "isSent",
    CASE WHEN is_received THEN r.body ELSE s.body END AS text,
    CASE WHEN is_received THEN r.created_at ELSE s.created_at END AS at,
    (SELECT max(created_at) FROM opt_outs WHERE recipient = person
      AND sender IN (s.sender, r.recipient)) AS "optedOutAt",
    sent_below::float8 AS "sentBelow", received_below::float8 AS "receivedBelow"
  FROM people
  LEFT JOIN LATERAL (
    SELECT ${sentColumns} FROM messages WHERE account_id = $1 AND number = sent_number
    UNION ALL
    (SELECT ${sentColumns} FROM messages
     WHERE sent_number IS NULL AND account_id = $1 AND recipient = person ORDER BY id DESC LIMIT 1)
  ) s ON true
  LEFT JOIN LATERAL (
    SELECT body, recipient, created_at FROM inbound_messages
    WHERE account_id = $1 AND sender = person ORDER BY number DESC LIMIT 1
  ) r ON true
  CROSS JOIN LATERAL (SELECT coalesce(r.created_at > s.created_at, s.number IS NULL) AS is_received) latest
)
SELECT (SELECT at FROM bound) AS "searchedAt", e.sent::float8 AS "endSent", e.received::float8 AS "endReceived",
  person, "isSent", text, at, "sentStatus", "optedOutAt", "sentBelow", "receivedBelow"
FROM (
  SELECT coalesce(min(sent_below), (SELECT sent FROM top)) AS sent, coalesce(min(received_below),
    (SELECT received FROM top)) AS received
  FROM placed WHERE is_complete
) e
LEFT JOIN shown ON true ORDER BY place`,
} as const;

/**
 * The messages that were read: the time of the oldest one when there are older ones, and the
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
  readonly at: Date;
  readonly sentStatus: MessageStatus | null;
  readonly optedOutAt: Date | null;
  readonly sentBelow: number;
  readonly receivedBelow: number;
}

type Row = ConversationsEnd & (ConversationPerson | { readonly person: null });

/** The people with whom an account exchanges messages. */
@Injectable()
export class ConversationList {
  constructor(private readonly postgres: Postgres) {}

  /** A page, the latest message first. Costs the same at any position. */
  async page(accountId: string, { sent, received, number }: ConversationsQuery): Promise<ConversationsAnswer> {
    const rows = await this.postgres.query<Row>(conversationsStatement, [
      accountId,
      sent ?? null,
      received ?? null,
      number === undefined ? null : digitsOf(number),
    ]);
    const people = rows.flatMap((row) => (row.person === null ? [] : [row]));
    const last = people.length > PAGE_SIZE ? people[PAGE_SIZE - 1] : undefined;
    const [end] = rows;
    const conversations = people.slice(0, PAGE_SIZE).map(conversationOf);
    if (last) {
      const next = { sent: last.sentBelow, received: last.receivedBelow };
      return { conversations, searchedTo: null, next };
    }
    if (!end?.searchedAt) return { conversations, searchedTo: null, next: null };
    const next = { sent: end.endSent, received: end.endReceived };
    return { conversations, searchedTo: newYorkTimestamp(end.searchedAt), next };
  }
}

/** A whole number in E.164 format, else the digits as typed, anywhere or at the start after '+'. */
function digitsOf(typed: string): string {
  return parseRecipient(typed)?.e164 ?? searchedDigits(typed);
}

function conversationOf({ person, isSent, text, at, sentStatus, optedOutAt }: ConversationPerson): ConversationRow {
  return {
    number: person,
    country: parseRecipient(person)?.country ?? null,
    direction: isSent ? 'sent' : 'received',
    text,
    at: at.toISOString(),
    sentStatus,
    optedOutAt: optedOutAt?.toISOString() ?? null,
  };
}
