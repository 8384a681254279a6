import { Injectable } from '@nestjs/common';
import type { UnansweredAnswer } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { holdsForAccount } from '../messages/store/opt-outs.sql.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { messageIdFromPublic } from '../rules/ids.js';

const COUNT_MAX = limits.unansweredShownMax;
/** Threads per statement, and maximum of statements per request. */
const BATCH_MAX = 200;
const BATCHES_MAX = 50;

/**
 * Threads that may wait for an answer, latest reply first, and whether they are over: because of a
 * later message to the person, or because the person has opted out. Parameters: account, number of
 * a reply below which to look, digits of the person's number or null, maximum. Ids follow the times
 * but for the clocks of servers, hence the hour.
 */
export const waitingThreadsStatement = {
  name: 'reply-threads-waiting-3',
  text: `
WITH candidate AS MATERIALIZED (
  SELECT person, last_number, last_at FROM reply_threads
  WHERE account_id = $1 AND waits AND last_number < $2::bigint AND ($3::text IS NULL OR strpos(person, $3) > 0)
  ORDER BY last_number DESC LIMIT $4
)
SELECT person, last_number::float8 AS number, EXISTS (
    SELECT FROM messages m
    WHERE m.recipient = c.person AND m.id >= uuid_v7_floor(c.last_at - interval '1 hour')
      AND m.account_id = $1 AND m.created_at >= c.last_at
  ) OR EXISTS (
    SELECT FROM inbound_messages r JOIN opt_outs o ON o.recipient = c.person
      AND ${holdsForAccount('o', '$1', 'o.sender = r.recipient')}
    WHERE r.account_id = $1 AND r.number = c.last_number
  ) AS "isOver"
FROM candidate c ORDER BY last_number DESC`,
} as const;

/** Parameters: account, people, numbers of the replies that no longer wait. */
export const endWaitingStatement = {
  name: 'reply-threads-end-1',
  text: `
UPDATE reply_threads t SET waits = false FROM unnest($2::text[], $3::bigint[]) AS n (person, number)
WHERE t.account_id = $1 AND t.person = n.person AND t.last_number = n.number AND t.waits`,
} as const;

/**
 * Parameters: account, person, id of the latest reply that was seen. Returns no row when the
 * account has no such reply of the person, otherwise the reply that waited, or null.
 */
export const markAnsweredStatement = {
  name: 'reply-threads-answered-2',
  text: `
WITH seen AS (
  SELECT number FROM inbound_messages WHERE id = $3 AND account_id = $1 AND sender = $2
), marked AS (
  UPDATE reply_threads SET waits = false
  WHERE account_id = $1 AND person = $2 AND waits AND last_number <= (SELECT number FROM seen)
  RETURNING last_number
)
SELECT (SELECT id FROM inbound_messages WHERE account_id = $1 AND number = (SELECT last_number FROM marked)) AS id
FROM seen`,
} as const;

export const threadWaitsStatement = {
  name: 'reply-threads-waits-1',
  text: 'SELECT waits FROM reply_threads WHERE account_id = $1 AND person = $2',
} as const;

export interface WaitingThread {
  readonly person: string;
  /** Number of the person's latest reply. */
  readonly number: number;
  readonly isOver: boolean;
}

/**
 * The people who have replied to an account, and whether they wait for an answer. Sending does not
 * write here: whether a reply was answered is determined on demand, and remembered.
 */
@Injectable()
export class ReplyThreads {
  constructor(
    private readonly postgres: Postgres,
    private readonly accountEvents: AccountEvents,
  ) {}

  /** Counts people who wait for an answer, up to a bound. */
  async countUnanswered(accountId: string): Promise<UnansweredAnswer> {
    const { threads, endsAt } = await this.waiting(accountId, { threadsMax: COUNT_MAX + 1 });
    return { count: Math.min(threads.length, COUNT_MAX), isMore: threads.length > COUNT_MAX || endsAt !== null };
  }

  /** Returns whether the person's latest reply waits, as far as is known. */
  async mayWait(accountId: string, person: string): Promise<boolean> {
    const [thread] = await this.postgres.query<{ waits: boolean }>(threadWaitsStatement, [accountId, person]);
    return thread?.waits ?? false;
  }

  /**
   * Takes the person off the waiting people, unless a later reply has come. Throws
   * `message_not_found` when the account has no such reply of the person.
   */
  async markAnswered(accountId: string, person: string, seenId: string): Promise<void> {
    const id = messageIdFromPublic(seenId);
    const [seen] = id
      ? await this.postgres.query<{ id: string | null }>(markAnsweredStatement, [accountId, person, id])
      : [];
    if (!seen) throw new DomainError('message_not_found', 'This account has no such reply of this number.');
    // Other pages of the account still list the reply.
    if (seen.id !== null) this.accountEvents.received(accountId, seen.id);
  }

  /**
   * Returns people who wait for an answer, latest reply first. Remembers examined threads that are
   * over. `endsAt`: position at which it stopped before it found the requested number, or all.
   */
  async waiting(
    accountId: string,
    { below = Number.MAX_SAFE_INTEGER, digits = null, threadsMax }: WaitingQuery,
  ): Promise<{ threads: WaitingThread[]; endsAt: number | null }> {
    const threads: WaitingThread[] = [];
    let position = below;
    for (let batches = 0; batches < BATCHES_MAX; batches += 1) {
      const asked = batches === 0 ? threadsMax : BATCH_MAX;
      const found = await this.postgres.query<WaitingThread>(waitingThreadsStatement, [
        accountId,
        position,
        digits,
        asked,
      ]);
      const over = found.filter(({ isOver }) => isOver);
      if (over.length > 0) await this.endWaiting(accountId, over);
      threads.push(...found.filter(({ isOver }) => !isOver));
      if (found.length < asked || threads.length >= threadsMax)
        return { threads: threads.slice(0, threadsMax), endsAt: null };
      position = found.at(-1)?.number ?? position;
    }
    return { threads, endsAt: position };
  }

  private async endWaiting(accountId: string, threads: readonly WaitingThread[]): Promise<void> {
    await this.postgres.query(endWaitingStatement, [
      accountId,
      threads.map(({ person }) => person),
      threads.map(({ number }) => number),
    ]);
  }
}

interface WaitingQuery {
  /** Number of a reply. */
  readonly below?: number | undefined;
  readonly digits?: string | null;
  readonly threadsMax: number;
}
