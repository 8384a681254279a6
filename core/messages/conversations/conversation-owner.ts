import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GroupCommit } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';

/** How many of a recipient's latest messages are searched, of all accounts. */
const MESSAGES_LOOKED_MAX = 10_000;
/** The message accepted last is not always the one sent last: among so many the claims' times are compared. */
const CLOSEST_MAX = 20;
const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 1;
const WAITING_MAX = 10_000;

/** Finds the account that last sent a message to a person from these senders. The limits nest, so reading stops early. */
export const lastStatement = `
SELECT q.n, found.account_id AS "accountId"
FROM jsonb_to_recordset($1) AS q (n integer, person text, senders text[]), LATERAL (
  SELECT account_id FROM (
    SELECT account_id, claimed_at, id FROM (
      SELECT account_id, sender, status, sent_at, claimed_at, id FROM messages
      WHERE recipient = q.person ORDER BY id DESC LIMIT ${MESSAGES_LOOKED_MAX}
    ) recent
    WHERE sender = ANY (q.senders) AND (sent_at IS NOT NULL OR status = 'sending')
    ORDER BY id DESC LIMIT ${CLOSEST_MAX}
  ) closest
  ORDER BY claimed_at DESC NULLS LAST, id DESC LIMIT 1
) found`;

export const recordSenderStatement = {
  name: 'messages-learn-sender-1',
  text: `
UPDATE messages m SET sender = n.sender
FROM (SELECT DISTINCT ON (id) id, sender FROM unnest($1::uuid[], $2::text[]) AS u (id, sender) ORDER BY id) n
WHERE m.id = n.id AND m.sender LIKE 'MG%'`,
};

/** A person, and our senders that a reply is addressed to: a number, and its messaging service if it has one. */
export interface Answered {
  readonly person: string;
  readonly senders: readonly string[];
}

/** Finds which account a reply answers: the one that last sent a message to this person from this sender. */
@Injectable()
export class ConversationOwner {
  private readonly recorded = new GroupCommit<{ id: string; sender: string }, void>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (batch) => this.recordAll(batch),
    onFull: () => new Error('Too many senders wait to be recorded'),
  });

  constructor(private readonly postgres: Postgres) {}

  /** One account's id for each, in their order; undefined where no account sent a message. */
  async of(tx: EntityManager, answered: readonly Answered[]): Promise<(string | undefined)[]> {
    if (answered.length === 0) return [];
    const questions = answered.map(({ person, senders }, n) => ({ n, person, senders }));
    const rows = await tx.query<{ n: number; accountId: string }[]>(lastStatement, [JSON.stringify(questions)]);
    const found = new Map(rows.map(({ n, accountId }) => [n, accountId]));
    return answered.map((_one, n) => found.get(n));
  }

  /** Stores the number that a messaging service chose for a message. */
  recordSender(id: string, sender: string): Promise<void> {
    return this.recorded.submit({ id, sender });
  }

  private async recordAll(batch: { id: string; sender: string }[]): Promise<void[]> {
    const values = [batch.map(({ id }) => id), batch.map(({ sender }) => sender)];
    await this.postgres.query(recordSenderStatement, values);
    return batch.map(() => undefined);
  }
}
