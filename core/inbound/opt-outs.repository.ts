import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';

/** That a person does not want to hear from a sender, and since when. */
export interface OptOut {
  readonly recipient: string;
  readonly sender: string;
  readonly createdAt: Date;
}

type Pair = Pick<OptOut, 'recipient' | 'sender'>;

const list = {
  name: 'opt-outs-1',
  text: `
SELECT recipient, sender, created_at AS "createdAt" FROM opt_outs
WHERE $1::text IS NULL OR recipient = $1 ORDER BY created_at DESC, recipient, sender LIMIT $2`,
};

const lift = {
  name: 'opt-outs-lift-1',
  text: `
DELETE FROM opt_outs WHERE recipient = $1 AND ($2::text IS NULL OR sender = $2)
RETURNING recipient, sender, created_at AS "createdAt"`,
};

/** Who does not want to hear from which sender. The acceptance statement reads this table too. */
@Injectable()
export class OptOutsRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Each pair at most once; the first time stays. */
  async add(tx: EntityManager, pairs: readonly Pair[]): Promise<void> {
    await tx.query(
      `INSERT INTO opt_outs (recipient, sender) SELECT * FROM unnest($1::text[], $2::text[]) AS n (recipient, sender)
       ORDER BY recipient, sender ON CONFLICT DO NOTHING`,
      columnsOf(pairs),
    );
  }

  async remove(tx: EntityManager, pairs: readonly Pair[]): Promise<void> {
    await tx.query(
      `DELETE FROM opt_outs o USING unnest($1::text[], $2::text[]) AS n (recipient, sender)
       WHERE o.recipient = n.recipient AND o.sender = n.sender`,
      columnsOf(pairs),
    );
  }

  /** Newest first; of one person, or of all. */
  async list(recipient: string | undefined, entriesMax: number): Promise<OptOut[]> {
    return this.postgres.query<OptOut>(list, [recipient ?? null, entriesMax]);
  }

  /** For one sender, or for all; answers those that were there. */
  async lift(recipient: string, sender: string | undefined): Promise<OptOut[]> {
    return this.postgres.query<OptOut>(lift, [recipient, sender ?? null]);
  }
}

function columnsOf(pairs: readonly Pair[]): [string[], string[]] {
  return [pairs.map(({ recipient }) => recipient), pairs.map(({ sender }) => sender)];
}
