import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Credits } from '../../credits/credits.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { StatusUpdates } from './status-updates.js';
import { Every } from '../../platform/schedules/every.js';

/** Approximate maximum delay until the messages of an ended key are canceled. */
const CANCELED_EVERY_MS = 1_000;

/** Messages of a schedule that are canceled at the same time. */
const STEP_MESSAGES = 200;

const waitingOf = (schedules: string) => `
  SELECT count(*)::int AS messages
  FROM ${schedules} s CROSS JOIN LATERAL unnest(s.message_ids) AS i (id) JOIN messages m ON m.id = i.id
  WHERE m.account_id = $1 AND m.status = 'scheduled'`;

/** Parameters: account, key. */
export const countKeySchedules = {
  name: 'key-schedules-count-2',
  text: waitingOf('(SELECT message_ids FROM message_checks WHERE key_id = $2 AND NOT canceled)'),
} as const;

/**
 * Waits for a worker that is releasing one of the schedules: its messages leave. Parameters:
 * account, key.
 */
export const cancelKeySchedules = {
  text: `
WITH marked AS (
  UPDATE message_checks SET canceled = true WHERE key_id = $2 AND NOT canceled RETURNING message_ids
) ${waitingOf('marked')}`,
} as const;

export const nextCanceledSchedule = {
  name: 'key-schedules-next-2',
  text: `
SELECT due_at AS "sendAt", id::text AS id, message_ids AS "messageIds"
FROM message_checks WHERE canceled ORDER BY due_at, id LIMIT 1`,
} as const;

export const removeSchedule = {
  name: 'key-schedules-remove-2',
  text: 'DELETE FROM message_checks WHERE id = $1 AND canceled',
} as const;

export interface CanceledSchedule {
  readonly sendAt: Date;
  readonly id: string;
  readonly messageIds: readonly string[];
}

/**
 * Scheduled messages by the API key that scheduled them.
 */
@Injectable()
export class KeySchedules {
  constructor(
    private readonly postgres: Postgres,
    private readonly credits: Credits,
    private readonly statusUpdates: StatusUpdates,
    private readonly logger: Logger,
  ) {}

  /** Returns the number of scheduled messages of a key. */
  async count(accountId: string, keyId: string): Promise<number> {
    const [row] = await this.postgres.query<{ messages: number }>(countKeySchedules, [accountId, keyId]);
    return row?.messages ?? 0;
  }

  /**
   * Waits for running acceptances of the account, so that {@link cancel} misses no message. Call it
   * first.
   */
  async lock(tx: EntityManager, accountId: string): Promise<void> {
    await this.credits.lock(tx, [accountId]);
  }

  /**
   * Cancels the scheduled messages of a key in the transaction that ends the key; returns their
   * number. After the commit no message leaves. A worker cancels and refunds each within seconds.
   */
  async cancel(tx: EntityManager, accountId: string, keyId: string): Promise<number> {
    const [row] = await tx.query<{ messages: number }[]>(cancelKeySchedules.text, [accountId, keyId]);
    return row?.messages ?? 0;
  }

  /**
   * Cancels the messages of one schedule that was canceled; returns whether there may be another.
   * Safe to repeat after a crash.
   */
  @Every({ name: 'canceled schedules', everyMs: CANCELED_EVERY_MS, whileMore: true })
  async run(): Promise<boolean> {
    const [schedule] = await this.postgres.query<CanceledSchedule>(nextCanceledSchedule, []);
    if (!schedule) return false;
    const { id: scheduleId, messageIds } = schedule;
    let canceled = 0;
    for (let from = 0; from < messageIds.length; from += STEP_MESSAGES) {
      const done = await Promise.all(
        messageIds
          .slice(from, from + STEP_MESSAGES)
          .map((id) => this.statusUpdates.apply({ id, status: 'canceled', carrierId: null, onlyWaiting: true })),
      );
      canceled += done.filter(Boolean).length;
    }
    await this.postgres.query(removeSchedule, [scheduleId]);
    this.logger.info({ scheduleId, canceled }, 'schedule of an ended key canceled');
    return true;
  }
}
