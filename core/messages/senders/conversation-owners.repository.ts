import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { accountOfKey } from '../../keys/callers.sql.js';
import { creditAccounts } from '../../credits/credits.sql.js';
import { Postgres } from '../../platform/database/postgres.js';

/** The account behind a key, and its conversation with a recipient. */
export interface KnownConversation {
  /** Null for an unknown key. */
  readonly accountId: string | null;
  readonly sender: string | null;
  /** Whether the account has credits to send with, and is not blocked. */
  readonly maySend: boolean;
}

export interface Conversation {
  readonly accountId: string;
  readonly recipient: string;
  readonly sender: string;
}

/** Of one recipient: conversations of the latest accounts, and messages. */
const USES_MAX = 500;
const RECENT_MESSAGES_MAX = 200;

/** The owner of a conversation is noted at most this often; ownership lasts as much longer. */
export const OWNER_NOTED_MINUTES = 1;

/**
 * SQL: owners noted after this time own their conversation. `hours`: a parameter, the hours that a
 * conversation is owned.
 */
export function ownedSince(hours: string): string {
  return `now() - make_interval(hours => ${hours}, mins => ${OWNER_NOTED_MINUTES})`;
}

/**
 * Parameters: key hashes, recipients, hours that a conversation is owned. The conversation is a
 * subquery of each row, so that it is always found by its key: as a join, and with a plan from when
 * there were few conversations, Postgres read all of the account for each recipient of a bulk.
 */
export const knownStatement = {
  name: 'conversations-known-6',
  text: `
SELECT a.id AS "accountId", coalesce(c.balance > c.frozen AND a.blocked_at IS NULL, false) AS "maySend", (
  SELECT v.sender FROM conversations v
  WHERE v.account_id = a.id AND v.recipient = q.recipient AND NOT EXISTS (
    SELECT 1 FROM conversation_owners o
    WHERE o.recipient = v.recipient AND o.sender = v.sender AND o.account_id <> v.account_id
      AND o.last_at > ${ownedSince('$3')}
  )
) AS sender
FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS q (key_hash, recipient, n)
LEFT JOIN accounts a ON a.id = ${accountOfKey('q.key_hash')}
LEFT JOIN ${creditAccounts} c ON c.account_id = a.id
ORDER BY q.n`,
};

/** Locks in a fixed order. Parameter: recipients. */
const lockRecipientsStatement = {
  name: 'conversations-lock-1',
  text: `
SELECT pg_advisory_xact_lock(hashtext('sender'), key)
FROM (SELECT DISTINCT hashtext(recipient) AS key FROM unnest($1::text[]) AS r (recipient) ORDER BY key) AS keys`,
} as const;

/** Messages show the senders used before there were several. Parameter: recipients. */
export const usesStatement = {
  name: 'conversations-uses-1',
  text: `
SELECT r.recipient, u.account_id AS "accountId", u.sender, u.at
FROM unnest($1::text[]) AS r (recipient), LATERAL (
  (SELECT account_id, sender, last_at AS at FROM conversations WHERE recipient = r.recipient
   ORDER BY last_at DESC LIMIT ${USES_MAX})
  UNION ALL
  (SELECT account_id, sender, max(created_at) FROM (
     SELECT account_id, sender, created_at FROM messages WHERE recipient = r.recipient
     ORDER BY id DESC LIMIT ${RECENT_MESSAGES_MAX}
   ) recent GROUP BY account_id, sender)
) u`,
} as const;

/** Parameters: recipients, hours that a conversation is owned. */
export const ownersStatement = {
  name: 'conversations-owners-1',
  text: `
SELECT o.recipient, o.sender, o.account_id AS "accountId"
FROM unnest($1::text[]) AS r (recipient), LATERAL (
  SELECT * FROM conversation_owners WHERE recipient = r.recipient AND last_at > ${ownedSince('$2')} OFFSET 0
) o`,
} as const;

/** Each pair of account and recipient at most once. Parameters: accounts, recipients, senders. */
const keepStatement = {
  name: 'conversations-keep-1',
  text: `
INSERT INTO conversations (account_id, recipient, sender)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) AS n (account_id, recipient, sender)
ORDER BY account_id, recipient
ON CONFLICT (account_id, recipient) DO UPDATE SET sender = excluded.sender, last_at = now()`,
} as const;

/** Parameters: recipient, sender, account, hours that a conversation is owned. */
export const ownStatement = `
INSERT INTO conversation_owners AS o (recipient, sender, account_id, last_at) VALUES ($1, $2, $3, now())
ON CONFLICT (recipient, sender) DO UPDATE SET account_id = excluded.account_id, last_at = excluded.last_at
WHERE o.account_id = excluded.account_id OR o.last_at <= ${ownedSince('$4')}`;

/** With several senders: the one that an account uses with a recipient. */
@Injectable()
export class ConversationOwnersRepository {
  constructor(private readonly postgres: Postgres) {}

  /** One row per question, in their order. A conversation that another account owns is left out. */
  async known(
    questions: readonly { keyHash: Buffer; recipient: string }[],
    conversationHours: number,
  ): Promise<KnownConversation[]> {
    return this.postgres.query<KnownConversation>(knownStatement, [
      questions.map(({ keyHash }) => keyHash),
      questions.map(({ recipient }) => recipient),
      conversationHours,
    ]);
  }

  /** Lets one transaction at a time give these recipients new senders. */
  async lockRecipients(tx: EntityManager, recipients: readonly string[]): Promise<void> {
    await this.postgres.run(tx, lockRecipientsStatement, [recipients]);
  }

  /** Which accounts used which senders with each recipient, and when last. */
  async uses(tx: EntityManager, recipients: readonly string[]): Promise<Map<string, SenderUse[]>> {
    const rows = await this.postgres.run<SenderUse & { recipient: string }>(tx, usesStatement, [recipients]);
    const byRecipient = new Map<string, SenderUse[]>(recipients.map((recipient) => [recipient, []]));
    for (const { recipient, ...use } of rows) byRecipient.get(recipient)?.push(use);
    return byRecipient;
  }

  /** Which accounts own conversations with each recipient, by sender. */
  async owners(
    tx: EntityManager,
    recipients: readonly string[],
    conversationHours: number,
  ): Promise<Map<string, Conversation[]>> {
    const rows = await this.postgres.run<Conversation>(tx, ownersStatement, [recipients, conversationHours]);
    const byRecipient = new Map<string, Conversation[]>(recipients.map((recipient) => [recipient, []]));
    for (const row of rows) byRecipient.get(row.recipient)?.push(row);
    return byRecipient;
  }

  /** Makes the account the owner of a conversation, unless another one owns it. */
  async own(
    tx: EntityManager,
    { accountId, recipient, sender }: Conversation,
    conversationHours: number,
  ): Promise<void> {
    await tx.query(ownStatement, [recipient, sender, accountId, conversationHours]);
  }

  /** Each pair of account and recipient at most once. */
  async keep(tx: EntityManager, conversations: readonly Conversation[]): Promise<void> {
    await this.postgres.run(tx, keepStatement, [
      conversations.map(({ accountId }) => accountId),
      conversations.map(({ recipient }) => recipient),
      conversations.map(({ sender }) => sender),
    ]);
  }
}

/** An account's latest use of a sender with the recipient in question. */
export interface SenderUse {
  readonly accountId: string;
  readonly sender: string;
  readonly at: Date;
}
