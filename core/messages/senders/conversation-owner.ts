import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { GroupCommit, orEach } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { buyerOf, rests } from '../../numbers/numbers.sql.js';
import { carrierOf } from '../../carriers/carrier-senders.js';
import { type Conversation, ConversationOwnersRepository, ownedSince } from './conversation-owners.repository.js';

/** Maximum of a recipient's latest messages of all accounts that are searched. */
const MESSAGES_LOOKED_MAX = 10_000;
/**
 * The message accepted last is not always sent last: the claims of this many messages are compared.
 */
const CLOSEST_MAX = 20;
const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 1;
const WAITING_MAX = 10_000;

/** The recipient's latest messages of all accounts. The limits nest, so reading stops early. */
const latest = `
  SELECT account_id, sender, status, sent_at, claimed_at, id FROM messages
  WHERE recipient = q.person ORDER BY id DESC LIMIT ${MESSAGES_LOOKED_MAX}`;
const isSentFrom = `sender = ANY (q.senders) AND (sent_at IS NOT NULL OR status = 'sending')`;

/**
 * Finds the account that a reply goes to: the buyer of the number, otherwise the owner of the
 * conversation if it has sent a message, otherwise the account that last sent the person a message
 * from these senders; none for a number that rests. Parameters: replies, hours of ownership.
 */
export const ownerStatement = {
  name: 'reply-owner-1',
  text: `
SELECT q.n, q.rests, q.buyer IS NOT NULL AS "hasNumber",
  CASE WHEN NOT q.rests THEN coalesce(q.buyer, owner.account_id, last.account_id) END AS "accountId"
FROM (
  SELECT *, buyer IS NULL AND ${rests('asked.senders')} AS rests
  FROM (
    SELECT *, ${buyerOf('senders')} AS buyer
    FROM jsonb_to_recordset($1) AS given (n integer, person text, senders text[])
  ) asked
) q
LEFT JOIN LATERAL (
  SELECT o.account_id FROM conversation_owners o
  WHERE q.buyer IS NULL AND o.recipient = q.person AND o.sender = ANY (q.senders) AND o.last_at > ${ownedSince('$2')}
    AND EXISTS (SELECT 1 FROM (${latest}) recent WHERE account_id = o.account_id AND ${isSentFrom})
  ORDER BY o.last_at DESC LIMIT 1
) owner ON true
LEFT JOIN LATERAL (
  SELECT account_id FROM (
    SELECT account_id, claimed_at, id FROM (${latest}) recent WHERE ${isSentFrom} ORDER BY id DESC LIMIT ${CLOSEST_MAX}
  ) closest
  WHERE q.buyer IS NULL AND owner.account_id IS NULL
  ORDER BY claimed_at DESC NULLS LAST, id DESC LIMIT 1
) last ON true
WHERE q.rests OR coalesce(q.buyer, owner.account_id, last.account_id) IS NOT NULL`,
} as const;

/** Parameters: account, recipient. */
export const lastMessageStatement = {
  name: 'conversations-last-1',
  text: `
SELECT extract(epoch FROM created_at)::float8 * 1000 AS "atMs" FROM messages
WHERE account_id = $1 AND recipient = $2 ORDER BY id DESC LIMIT 1`,
} as const;

const recordSenderStatement = {
  name: 'messages-learn-sender-2',
  text: `
UPDATE messages m SET sender = n.sender
FROM (
  SELECT DISTINCT ON (id) id, sender, carrier
  FROM unnest($1::uuid[], $2::text[], $3::smallint[]) AS u (id, sender, carrier) ORDER BY id
) n
WHERE m.id = n.id AND ${carrierOf('m')} = n.carrier AND m.sender LIKE 'MG%'`,
};

interface RecordedSender {
  readonly carrier: number;
  readonly id: string;
  readonly sender: string;
}

/**
 * A person, and our senders that got the reply: a number, and its messaging service if it has one.
 */
export interface Answered {
  readonly person: string;
  readonly senders: readonly string[];
}

/** An account, and the time of its last message to a person. */
interface Latest {
  readonly accountId: string;
  readonly atMs: number;
}

/** The account that gets a reply; null for a number that was released and `rests`. */
export interface Owner {
  readonly accountId: string | null;
  /** Whether the account has bought the number. */
  readonly hasNumber: boolean;
  readonly rests: boolean;
}

/**
 * Finds the account that a reply answers: the owner of the conversation, or the account that last
 * texted from this sender.
 */
@Injectable()
export class ConversationOwner {
  private readonly recorded = new GroupCommit<RecordedSender, void>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (batch) => orEach(batch, (some) => this.recordAll(some)),
    onFull: () => new Error('Too many senders wait to be recorded'),
  });

  constructor(
    private readonly postgres: Postgres,
    private readonly conversations: ConversationOwnersRepository,
    private readonly config: Config,
  ) {}

  /** Returns the owner for each reply, in their order; undefined if no account sent a message. */
  async of(tx: EntityManager, answered: readonly Answered[]): Promise<(Owner | undefined)[]> {
    if (answered.length === 0) return [];
    const questions = answered.map(({ person, senders }, n) => ({ n, person, senders }));
    const rows = await this.postgres.run<Owner & { n: number }>(tx, ownerStatement, [
      JSON.stringify(questions),
      this.config.conversationHours,
    ]);
    const found = new Map(rows.map(({ n, ...owner }) => [n, owner]));
    return answered.map((_one, n) => found.get(n));
  }

  /** Makes these senders the accounts' default senders to these people. */
  async keep(tx: EntityManager, conversations: readonly Conversation[]): Promise<void> {
    await this.conversations.keep(tx, conversations);
  }

  /**
   * Returns the account that a reply answers, and the time of its last message to the person;
   * undefined without an account. Each part of a divided database may know such an account.
   */
  async latest(answered: Answered): Promise<Latest | undefined> {
    const found = await this.postgres.onEach(() => this.latestHere(answered));
    return found.filter((one) => one !== undefined).toSorted((a, b) => b.atMs - a.atMs)[0];
  }

  /** Stores the number that a carrier's messaging service chose for a message. */
  recordSender(carrier: number, id: string, sender: string): Promise<void> {
    return this.recorded.submit({ carrier, id, sender });
  }

  private async latestHere(answered: Answered): Promise<Latest | undefined> {
    return this.postgres.transaction(async (tx) => {
      const [owner] = await this.of(tx, [answered]);
      const accountId = owner?.accountId ?? null;
      if (accountId === null) return undefined;
      const [last] = await this.postgres.run<{ atMs: number }>(tx, lastMessageStatement, [accountId, answered.person]);
      return { accountId, atMs: last?.atMs ?? 0 };
    });
  }

  private async recordAll(batch: RecordedSender[]): Promise<void[]> {
    const values = [batch.map(({ id }) => id), batch.map(({ sender }) => sender), batch.map(({ carrier }) => carrier)];
    await this.postgres.query(recordSenderStatement, values);
    return batch.map(() => undefined);
  }
}
