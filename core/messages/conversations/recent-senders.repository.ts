import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GroupCommit } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';

/** How far back a recipient's messages are looked through, whoever sent them. */
const MESSAGES_LOOKED_MAX = 10_000;
/** Accepted last is not yet left last: among so many the times of leaving are compared. */
const CLOSEST_MAX = 20;
const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 1;
const WAITING_MAX = 10_000;

/** What the carrier has taken, or has in hand. The limits nest, so reading stops with the first rows that match. */
const last = `
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

const learn = {
  name: 'messages-learn-sender-1',
  text: `
UPDATE messages m SET sender = n.sender
FROM (SELECT DISTINCT ON (id) id, sender FROM unnest($1::uuid[], $2::text[]) AS u (id, sender) ORDER BY id) n
WHERE m.id = n.id AND m.sender LIKE 'MG%'`,
};

/** Messages, as a reply needs to know them: who texted whom from where. */
@Injectable()
export class RecentSendersRepository {
  private readonly learning = new GroupCommit<{ id: string; sender: string }, void>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (batch) => this.learnAll(batch),
    onFull: () => new Error('Too many senders wait to be recorded'),
  });

  constructor(private readonly postgres: Postgres) {}

  /** By place in the list; what nobody has texted is absent. */
  async last(
    tx: EntityManager,
    answered: readonly { person: string; senders: readonly string[] }[],
  ): Promise<Map<number, string>> {
    const questions = answered.map(({ person, senders }, n) => ({ n, person, senders }));
    const rows = await tx.query<{ n: number; accountId: string }[]>(last, [JSON.stringify(questions)]);
    return new Map(rows.map(({ n, accountId }) => [n, accountId]));
  }

  /** A messaging service chose the number itself: from now on the message says which. */
  learnSender(id: string, sender: string): Promise<void> {
    return this.learning.submit({ id, sender });
  }

  private async learnAll(batch: { id: string; sender: string }[]): Promise<void[]> {
    await this.postgres.query(learn, [batch.map(({ id }) => id), batch.map(({ sender }) => sender)]);
    return batch.map(() => undefined);
  }
}
