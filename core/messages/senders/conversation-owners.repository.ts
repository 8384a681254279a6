import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { accountOfKey } from '../../keys/callers.sql.js';
import { Postgres } from '../../platform/database/postgres.js';

/** Senders that a message may have, in the order in which equally good ones are taken. */
export interface SenderCandidates {
  readonly senders: readonly string[];
  /**
   * Number of senders, from the first on, for a recipient who knows none of them. 0: the message
   * has a single sender, and its account does not become the conversation's owner.
   */
  readonly fresh: number;
}

export interface SenderRequest {
  readonly keyHash: Buffer;
  readonly recipient: string;
  readonly candidates: SenderCandidates;
}

export interface Conversation {
  readonly accountId: string;
  readonly recipient: string;
  readonly sender: string;
}

/** The owner of a conversation is noted at most this often; ownership lasts this much longer. */
export const OWNER_NOTED_MINUTES = 1;

/**
 * SQL: owners noted after this time own their conversation. `hours`: a parameter, the hours of
 * ownership.
 */
export function ownedSince(hours: string): string {
  return `now() - make_interval(hours => ${hours}, mins => ${OWNER_NOTED_MINUTES})`;
}

/**
 * SQL that chooses the sender of a request, with the owner of its conversation, `owner_id` and
 * `last_at`: the account's latest sender for the recipient among its candidates, otherwise the
 * first fresh candidate whose conversation no other account owns, otherwise the first fresh
 * candidate. `request` has `recipient`, `senders`, the candidates in order between commas, and
 * `fresh_senders`, the number of candidates for a recipient who knows none. `hours`: a parameter,
 * the hours of ownership.
 */
export function chosenSender({ request, account, hours }: Readonly<Record<'request' | 'account' | 'hours', string>>) {
  return `
    SELECT c.sender, o.account_id AS owner_id, o.last_at
    FROM unnest(string_to_array(${request}.senders, ',')) WITH ORDINALITY AS c (sender, place)
    LEFT JOIN conversation_owners o ON o.recipient = ${request}.recipient AND o.sender = c.sender
    ORDER BY
      CASE WHEN o.account_id = ${account} THEN o.last_at END DESC NULLS LAST,
      c.place > ${request}.fresh_senders,
      coalesce(o.account_id <> ${account} AND o.last_at > ${ownedSince(hours)}, false),
      c.place
    LIMIT 1
  `;
}

/**
 * Parameters: key hashes, recipients, candidates, numbers of fresh candidates; hours of ownership.
 */
export const chosenStatement = {
  name: 'sender-chosen-1',
  text: `
SELECT chosen.sender
FROM unnest($1::bytea[], $2::text[], $3::text[], $4::smallint[]) WITH ORDINALITY
  AS q (key_hash, recipient, senders, fresh_senders, n)
LEFT JOIN accounts a ON a.id = ${accountOfKey('q.key_hash')}
LEFT JOIN LATERAL (${chosenSender({ request: 'q', account: 'a.id', hours: '$5' })}) AS chosen ON true
ORDER BY q.n`,
} as const;

/** Locks in a fixed order. Parameter: recipients. */
const lockRecipientsStatement = {
  name: 'conversations-lock-1',
  text: `
SELECT pg_advisory_xact_lock(hashtext('sender'), key)
FROM (SELECT DISTINCT hashtext(recipient) AS key FROM unnest($1::text[]) AS r (recipient) ORDER BY key) AS keys`,
} as const;

/** Parameters: recipients, hours of ownership. */
export const ownersStatement = {
  name: 'conversations-owners-1',
  text: `
SELECT o.recipient, o.sender, o.account_id AS "accountId"
FROM unnest($1::text[]) AS r (recipient), LATERAL (
  SELECT * FROM conversation_owners WHERE recipient = r.recipient AND last_at > ${ownedSince('$2')} OFFSET 0
) o`,
} as const;

/** Each pair of recipient and sender may occur once. Parameters: accounts, recipients, senders. */
const keepStatement = {
  name: 'conversations-keep-2',
  text: `
INSERT INTO conversation_owners (account_id, recipient, sender)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) AS n (account_id, recipient, sender)
ORDER BY recipient, sender
ON CONFLICT (recipient, sender) DO UPDATE SET account_id = excluded.account_id, last_at = now()`,
} as const;

/**
 * Parameters: recipient, sender, account, hours of ownership. A message that moves to another route
 * does not change the sender by which the recipient knows the account: the new conversation counts
 * as older than the day's latest conversation.
 */
export const ownStatement = {
  name: 'conversations-own-1',
  text: `
INSERT INTO conversation_owners AS o (recipient, sender, account_id, last_at)
SELECT $1::text, $2::text, $3::uuid, coalesce(max(known.last_at) - interval '1 second', now())
FROM conversation_owners known
WHERE known.recipient = $1::text AND known.account_id = $3::uuid AND known.sender <> $2::text
  AND known.last_at > now() - interval '1 day'
ON CONFLICT (recipient, sender) DO UPDATE SET account_id = excluded.account_id,
  last_at = CASE WHEN o.account_id = excluded.account_id THEN greatest(o.last_at, excluded.last_at)
    ELSE excluded.last_at END
WHERE o.account_id = excluded.account_id OR o.last_at <= ${ownedSince('$4')}
RETURNING sender`,
} as const;

/** Stores the accounts that own conversations of senders with recipients. */
@Injectable()
export class ConversationOwnersRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Returns the sender of each request; nothing is kept. */
  async chosen(requests: readonly SenderRequest[], conversationHours: number): Promise<string[]> {
    const rows = await this.postgres.query<{ sender: string }>(chosenStatement, [
      requests.map(({ keyHash }) => keyHash),
      requests.map(({ recipient }) => recipient),
      requests.map(({ candidates }) => candidates.senders.join()),
      requests.map(({ candidates }) => candidates.fresh),
      conversationHours,
    ]);
    return rows.map(({ sender }) => sender);
  }

  /** Lets one transaction at a time give these recipients new senders. */
  async lockRecipients(tx: EntityManager, recipients: readonly string[]): Promise<void> {
    await this.postgres.run(tx, lockRecipientsStatement, [recipients]);
  }

  /** Returns the accounts that own conversations with each recipient, by sender. */
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

  /**
   * Makes the account the owner of a conversation, unless another account owns it; returns whether
   * it is.
   */
  async own(
    tx: EntityManager,
    { accountId, recipient, sender }: Conversation,
    conversationHours: number,
  ): Promise<boolean> {
    const values = [recipient, sender, accountId, conversationHours];
    return (await this.postgres.run(tx, ownStatement, values)).length > 0;
  }

  /**
   * Stores conversations of accounts' own senders. Each pair of recipient and sender may occur
   * once.
   */
  async keep(tx: EntityManager, conversations: readonly Conversation[]): Promise<void> {
    await this.postgres.run(tx, keepStatement, [
      conversations.map(({ accountId }) => accountId),
      conversations.map(({ recipient }) => recipient),
      conversations.map(({ sender }) => sender),
    ]);
  }
}
