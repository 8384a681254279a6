import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Postgres } from '../../platform/database/postgres.js';

const { suspensionHours, suspensionRecipientsMin } = limits;
const ACCOUNTS_MAX = 1_000;

/** An account with enough undelivered messages for a suspension. */
export interface Suspect {
  readonly accountId: string;
  /** Undelivered and failed messages of the last days. */
  readonly undelivered: number;
}

/** Numbers of recipients in the last hours; `undelivered` counts recipients who got no message. */
export interface Reach {
  readonly recipients: number;
  readonly undelivered: number;
}

export interface Suspension extends Reach {
  readonly suspendedAt: Date;
  /** Whether the customer has lifted an earlier suspension. */
  readonly isLiftUsed: boolean;
}

/** More than half of the minimum of recipients. */
const UNDELIVERED_MIN = Math.floor(suspensionRecipientsMin / 2) + 1;

export const suspectsStatement = {
  name: 'delivery-suspects-2',
  text: `
SELECT d.account_id AS "accountId", sum(d.messages)::float8 AS undelivered
FROM delivery_days d JOIN accounts a ON a.id = d.account_id
WHERE d.day >= (now() AT TIME ZONE 'America/New_York')::date - ${Math.ceil(suspensionHours / 24)}
  AND d.reason <> '' AND a.delivery_suspended_at IS NULL
GROUP BY d.account_id HAVING sum(d.messages) >= ${UNDELIVERED_MIN}
LIMIT ${ACCOUNTS_MAX}`,
} as const;

/**
 * Counts the recipients of messages that the carrier took in the last hours, since the last
 * suspension was lifted. A message without a report counts as delivered. Parameter: account.
 */
export const reachStatement = {
  name: 'delivery-reach-1',
  text: `
SELECT count(*)::int AS recipients, (count(*) FILTER (WHERE NOT reached))::int AS undelivered
FROM (
  SELECT bool_or(status NOT IN ('undelivered', 'failed')) AS reached
  FROM messages
  WHERE account_id = $1 AND id >= uuid_v7_floor(now() - interval '${suspensionHours + 1} hours') AND sent_at IS NOT NULL
    AND created_at > greatest(
      now() - interval '${suspensionHours} hours',
      (SELECT max(lifted_at) FROM delivery_suspensions WHERE account_id = $1)
    )
  GROUP BY recipient
) recent`,
} as const;

export const openStatement = {
  name: 'delivery-suspension-open-1',
  text: `
SELECT recipients, undelivered, suspended_at AS "suspendedAt", EXISTS (
  SELECT 1 FROM delivery_suspensions e WHERE e.account_id = s.account_id AND e.lifted_by = 'account'
) AS "isLiftUsed"
FROM delivery_suspensions s WHERE account_id = $1 AND lifted_at IS NULL`,
} as const;

/** Stores suspensions and finds the messages that justify them. */
@Injectable()
export class DeliverySuspensionsRepository {
  constructor(private readonly postgres: Postgres) {}

  async suspects(): Promise<Suspect[]> {
    return this.postgres.query<Suspect>(suspectsStatement, []);
  }

  async reach(accountId: string): Promise<Reach> {
    const [reach = { recipients: 0, undelivered: 0 }] = await this.postgres.query<Reach>(reachStatement, [accountId]);
    return reach;
  }

  async findOpen(accountId: string): Promise<Suspension | undefined> {
    const [suspension] = await this.postgres.query<Suspension>(openStatement, [accountId]);
    return suspension;
  }

  /**
   * Returns whether this call suspended the account; an account has one open suspension at most.
   */
  async insert(tx: EntityManager, accountId: string, { recipients, undelivered }: Reach): Promise<boolean> {
    const rows = await tx.query<object[]>(
      `INSERT INTO delivery_suspensions (account_id, recipients, undelivered) VALUES ($1, $2, $3)
       ON CONFLICT (account_id) WHERE lifted_at IS NULL DO NOTHING RETURNING id`,
      [accountId, recipients, undelivered],
    );
    return rows.length > 0;
  }

  /**
   * Returns whether this call lifted the suspension. The customer may lift only one suspension
   * ever.
   */
  async lift(tx: EntityManager, accountId: string, by: 'account' | 'operator'): Promise<boolean> {
    const [rows] = await tx.query<[object[], number]>(
      `UPDATE delivery_suspensions s SET lifted_at = now(), lifted_by = $2
       WHERE account_id = $1 AND lifted_at IS NULL AND ($2 = 'operator' OR NOT EXISTS (
         SELECT 1 FROM delivery_suspensions e WHERE e.account_id = s.account_id AND e.lifted_by = 'account'
       ))
       RETURNING id`,
      [accountId, by],
    );
    return rows.length > 0;
  }
}
