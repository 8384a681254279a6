import { Injectable } from '@nestjs/common';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { Every } from '../platform/schedules/every.js';
import { Logger } from '../platform/telemetry/logger.js';
import { publicNumberId } from '../rules/ids.js';
import { codesOfNumbers, isFilter, isFiltered, type NumberFigures } from '../rules/number-health.js';
import { NumberDirectory } from './number-directory.js';
import { NumberEvents } from './number-events.js';
import { NumbersRepository } from './numbers.repository.js';

const JUDGED_EVERY_MS = 60_000;
/** Maximum of an account's latest messages that are examined. */
const MESSAGES_MAX = 5_000;

/**
 * Delivery figures of an account's numbers, for messages handed over within ten minutes, or since
 * the owner put the number back. Parameters: account, carriers and codes with which a message fails
 * because of its number, and whether carriers filter with these. A failure without a carrier code
 * is not counted against the number.
 */
export const numberFiguresStatement = {
  name: 'number-figures-2',
  text: `
SELECT n.id,
  count(*)::int AS ended,
  count(*) FILTER (WHERE code.carrier IS NOT NULL)::int AS failed,
  count(*) FILTER (WHERE code.filters)::int AS filtered
FROM (
  SELECT message_id FROM number_turns
  WHERE account_id = $1 AND at BETWEEN now() - interval '1 hour' AND now() ORDER BY at DESC LIMIT ${MESSAGES_MAX}
) t
JOIN messages m ON m.account_id = $1 AND m.id = t.message_id
JOIN numbers n ON n.number = m.sender AND n.account_id = $1 AND n.origin = 'purchase'
  AND n.status IN ('active', 'past_due') AND n.filtered_at IS NULL
LEFT JOIN unnest($2::smallint[], $3::integer[], $4::boolean[]) AS code (carrier, code, filters)
  ON code.carrier = coalesce(m.carrier, ${carrierNumbers.twilio}) AND code.code = m.carrier_error
    AND m.status IN ('undelivered', 'failed')
WHERE m.claimed_at > greatest(now() - interval '10 minutes', n.judged_since)
  AND m.status IN ('delivered', 'undelivered', 'failed')
GROUP BY n.id`,
} as const;

const codes = [
  codesOfNumbers.map(({ carrier }) => carrier),
  codesOfNumbers.map(({ code }) => code),
  codesOfNumbers.map(({ carrier, code }) => isFilter(carrier, code)),
] as const;

const leavePools = {
  name: 'pools-leave-filtered-1',
  text: `
UPDATE pool_numbers SET left_at = now() WHERE account_id = $1 AND number_id = $2 AND left_at IS NULL`,
} as const;

/** The figures of a number, by its id. */
export interface FiguresRow extends NumberFigures {
  readonly id: string;
}

/**
 * Judges the delivery figures of bought numbers each minute. A number whose messages carriers
 * filter leaves its pools, and its owner is notified.
 */
@Injectable()
export class NumberHealth {
  constructor(
    private readonly postgres: Postgres,
    private readonly directory: NumberDirectory,
    private readonly numbers: NumbersRepository,
    private readonly events: NumberEvents,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  /** Returns how many numbers left their pools. */
  @Every({ name: 'number health', everyMs: JUDGED_EVERY_MS, wholeDatabase: true })
  async run(): Promise<number> {
    const all = [...(await this.directory.all()).values()];
    const accountIds = new Set(all.filter(({ origin }) => origin === 'purchase').map(({ accountId }) => accountId));
    let left = 0;
    for (const accountId of accountIds)
      try {
        left += await this.postgres.ofAccount(accountId, () => this.judge(accountId));
      } catch (err) {
        this.logger.error({ err, accountId }, 'numbers not judged');
      }
    if (left > 0) await this.directory.renewed();
    return left;
  }

  private async judge(accountId: string): Promise<number> {
    const rows = await this.postgres.query<FiguresRow>(numberFiguresStatement, [accountId, ...codes]);
    let left = 0;
    for (const figures of rows.filter(isFiltered)) if (await this.leave(accountId, figures)) left += 1;
    return left;
  }

  /** Returns false when another worker was faster. */
  private async leave(accountId: string, { id, ended, failed, filtered }: FiguresRow): Promise<boolean> {
    const eventId = await this.postgres.transaction(async (tx) => {
      const number = await this.numbers.filter(tx, id);
      if (!number) return null;
      await this.postgres.run(tx, leavePools, [accountId, id]);
      const about = number.filteredAt?.getTime() ?? 0;
      const details = { id, ended, failed, filtered };
      await this.auditLog.record(tx, { actor: 'operator', accountId, action: 'number.filtered', details });
      const content = { kind: 'number_filtered' as const, numberId: publicNumberId(id), number: number.number };
      await this.events.mail(tx, accountId, { ...content, messages: ended, failed }, `${id}:${about}`);
      return this.events.record(tx, 'number.filtered', number, { about, messages: ended, failed });
    });
    if (eventId === null) return false;
    this.events.enqueue([eventId]);
    this.logger.warn({ accountId, numberId: id, ended, failed, filtered }, 'number left its pools');
    return true;
  }
}
