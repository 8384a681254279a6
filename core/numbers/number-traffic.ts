import { Injectable } from '@nestjs/common';
import { deliveryErrorOf } from '#contract/delivery-errors.js';
import { limits } from '#contract/limits.js';
import type { NumberTraffic } from '#contract/numbers.js';
import { Postgres } from '../platform/database/postgres.js';
import { reasonCodeSql } from '../rules/carrier-code.js';

const REASONS_MAX = 10;

/** Newest messages that are searched for messages that do not wait, behind a waiting bulk. */
const NEWEST_MAX = 4 * limits.numberTrafficMessagesMax;

/**
 * A number's messages among the account's newest in either direction. Parameters: account, number.
 */
export const trafficStatement = {
  name: 'numbers-traffic-3',
  text: `
WITH newest AS MATERIALIZED (
  SELECT number, sender, recipient, status, ${reasonCodeSql} AS reason, created_at,
    status IN ('queued', 'scheduled') AS waits
  FROM messages WHERE account_id = $1 ORDER BY number DESC LIMIT ${NEWEST_MAX}
),
latest AS MATERIALIZED (
  SELECT * FROM newest WHERE NOT waits ORDER BY number DESC LIMIT ${limits.numberTrafficMessagesMax}
),
waiting AS MATERIALIZED (SELECT * FROM newest WHERE waits AND sender = $2),
sent AS MATERIALIZED (SELECT * FROM latest WHERE sender = $2 UNION ALL SELECT * FROM waiting),
replies AS MATERIALIZED (
  SELECT sender AS person, created_at FROM (
    SELECT sender, recipient, created_at FROM inbound_messages
    WHERE account_id = $1 ORDER BY number DESC LIMIT ${limits.numberTrafficMessagesMax}
  ) newest
  WHERE recipient = $2
)
SELECT
  least(
    (SELECT min(created_at) FROM latest), (SELECT min(created_at) FROM waiting), (SELECT min(created_at) FROM replies)
  ) AS since,
  (SELECT count(*)::int FROM sent WHERE status <> 'canceled') AS sent,
  (SELECT count(*)::int FROM sent WHERE status = 'delivered') AS delivered,
  (SELECT count(*)::int FROM sent WHERE status IN ('failed', 'undelivered')) AS failed,
  (SELECT count(*)::int FROM waiting) AS waiting,
  (SELECT count(*)::int FROM replies) AS replies,
  (SELECT count(*)::int FROM (SELECT recipient FROM sent UNION SELECT person FROM replies) people) AS people,
  (SELECT coalesce(json_agg(r ORDER BY r.messages DESC, r.code), '[]') FROM (
    SELECT reason AS code, count(*)::int AS messages FROM sent
    WHERE status IN ('failed', 'undelivered') AND reason IS NOT NULL
    GROUP BY reason ORDER BY count(*) DESC, reason LIMIT ${REASONS_MAX}
  ) r) AS reasons`,
} as const;

export interface TrafficRow {
  readonly since: Date | null;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
  readonly replies: number;
  readonly people: number;
  readonly reasons: readonly { readonly code: string; readonly messages: number }[];
}

@Injectable()
export class NumberTrafficFigures {
  constructor(private readonly postgres: Postgres) {}

  async of(accountId: string, number: string): Promise<NumberTraffic> {
    const [row] = await this.postgres.query<TrafficRow>(trafficStatement, [accountId, number]);
    if (!row) throw new Error('The figures of a number have one row');
    const { since, reasons, ...counts } = row;
    return {
      since: since?.toISOString() ?? null,
      ...counts,
      reasons: reasons.map(({ code, messages }) => ({ code, text: deliveryErrorOf(code).reason, messages })),
    };
  }
}
