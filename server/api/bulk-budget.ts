import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.js';
import { Payments } from '#core/billing/payments.js';
import { Credits } from '#core/credits/credits.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RateLimiter } from '#core/platform/queue/rate-limiter.js';
import { SharedCounters } from '#core/platform/queue/shared-counters.js';
import { UnreadBody } from '../http/unread-body.js';
import type { ApiAccount } from './api-caller.js';
import { Uploads } from './uploads.js';

const WINDOW_SECONDS = 60;
/** Bytes of a bulk that a credit pays for at most: a segment of other alphabets, number and field names. */
const BYTES_PER_CREDIT_MAX = 480;
const { bulkWorkPerMinuteMax, unpaidBulkWorkPerMinuteMax, bulkTextWorkMin } = limits;

/** A bulk that its account may have priced. */
interface AffordedBulk {
  readonly fields: Record<string, unknown>;
  /** Gives the work back, because the bulk was sent and paid for. */
  readonly sent: () => Promise<void>;
}

/**
 * Bounds the work on bulks without a charge, such as quotes and refused bulks, by account and
 * minute over all servers: the number of items times their length. An account that has never paid,
 * and whose credits could not pay for the bulk either, gets a tenth of the budget.
 */
@Injectable()
export class BulkBudget {
  private readonly work: RateLimiter;

  constructor(
    private readonly uploads: Uploads,
    private readonly payments: Payments,
    private readonly credits: Credits,
    private readonly postgres: Postgres,
    counters: SharedCounters,
  ) {
    this.work = new RateLimiter(counters, {
      name: 'bulk-work',
      points: bulkWorkPerMinuteMax,
      durationSeconds: WINDOW_SECONDS,
    });
  }

  /**
   * Reads the body of a bulk within its account's budget: without budget a long body is not parsed.
   * Throws `rate_limited`, and the errors of {@link Uploads.fieldsOf}.
   */
  async read(request: FastifyRequest, caller: ApiAccount): Promise<AffordedBulk> {
    const { accountId } = caller;
    const bytes = request.body instanceof UnreadBody ? request.body.bytes.length : 0;
    await this.take(accountId, bytes);
    const fields = this.uploads.fieldsOf(request, caller);
    // A template can make more text than the body has.
    const more = Math.max(0, workOf(fields) - bytes);
    await this.take(accountId, more);
    return { fields, sent: () => this.work.giveBack(accountId, bytes + more) };
  }

  private async take(accountId: string, work: number): Promise<void> {
    if (work === 0) return;
    const { isOver, remaining, resetSeconds } = await this.work.take(accountId, work);
    const used = bulkWorkPerMinuteMax - remaining;
    if (!isOver && used <= unpaidBulkWorkPerMinuteMax) return;
    const isTrusted = await this.isTrusted(accountId, work);
    if (!isOver && isTrusted) return;
    await this.work.giveBack(accountId, work);
    const [max, later] = isTrusted
      ? [bulkWorkPerMinuteMax, '']
      : [unpaidBulkWorkPerMinuteMax, `, and ${bulkWorkPerMinuteMax} after its first paid purchase`];
    const detail =
      `This bulk has ${work} characters, each text counted as at least ${bulkTextWorkMin}; your account may have ` +
      `${max} a minute priced without sending them${later}. You were not charged. Use smaller bulks, or wait.`;
    throw new DomainError('rate_limited', detail, { retryAfterSeconds: resetSeconds });
  }

  private async isTrusted(accountId: string, work: number): Promise<boolean> {
    const { hasPaid } = await this.postgres.call((manager) => this.payments.standingOf(manager, accountId));
    return hasPaid || (await this.credits.balanceOf(accountId)).balance * BYTES_PER_CREDIT_MAX >= work;
  }
}

/** The number of characters of fields that are not validated yet. */
function workOf({ messages, message, recipients }: Record<string, unknown>): number {
  if (Array.isArray(recipients)) return recipients.length * lengthOf(message);
  if (!Array.isArray(messages)) return 0;
  return messages.reduce<number>((sum, one: unknown) => sum + lengthOf(textOf(one)), 0);
}

function textOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'message' in item ? item.message : undefined;
}

function lengthOf(text: unknown): number {
  return Math.max(bulkTextWorkMin, typeof text === 'string' ? text.length : 0);
}
