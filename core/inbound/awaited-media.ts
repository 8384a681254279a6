import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { MediaStore } from '../media/media-store.js';
import { Postgres } from '../platform/database/postgres.js';
import { eachDueRow, isDueAndFree } from '../platform/durable-work/durable-work.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { Every } from '../platform/schedules/every.js';
import { Logger } from '../platform/telemetry/logger.js';
import { ReplyEvents } from './reply-events.js';

/**
 * The job of the last file looks at the reply at once; this interval finds replies that a crash
 * left.
 */
const RECHECK_SECONDS = 60;
const DUE_MAX = 100;
const TAKEN_SECONDS = 30;

/** Parameters: accounts, replies. */
export const expectMedia = {
  name: 'reply-media-expect-1',
  text: `
INSERT INTO replies_awaiting_media (account_id, reply_id, forward_at, due_at)
SELECT account_id, reply_id, now() + interval '${limits.replyMediaWaitSeconds} seconds',
  CASE WHEN EXISTS (
    SELECT FROM media f WHERE f.account_id = n.account_id AND f.message_id = n.reply_id AND f.state = 'pending'
  ) THEN now() + interval '${limits.replyMediaWaitSeconds} seconds' ELSE now() END
FROM unnest($1::uuid[], $2::uuid[]) AS n (account_id, reply_id)
ON CONFLICT DO NOTHING`,
} as const;

export const takeDueReplies = {
  name: 'reply-media-due-2',
  text: `
UPDATE replies_awaiting_media SET due_at = now() + interval '${TAKEN_SECONDS} seconds'
WHERE ${isDueAndFree('replies_awaiting_media', DUE_MAX, { key: 'account_id, reply_id' })}
RETURNING account_id AS "accountId", reply_id AS id`,
} as const;

export interface AwaitingReply {
  readonly forwarded: boolean;
  /** True if it is time to forward the reply without its missing files. */
  readonly isLate: boolean;
  readonly sender: string;
  readonly recipient: string;
  readonly body: string;
  readonly createdAt: Date;
}

/** Parameters: account, reply. Locks the reply's row. */
export const lockAwaiting = {
  name: 'reply-media-lock-1',
  text: `
SELECT w.forwarded, w.forward_at <= now() AS "isLate", r.sender, r.recipient, r.body, r.created_at AS "createdAt"
FROM replies_awaiting_media w JOIN inbound_messages r ON r.id = w.reply_id AND r.account_id = w.account_id
WHERE w.account_id = $1 AND w.reply_id = $2 FOR UPDATE OF w`,
} as const;

/** Parameters: account, reply. */
const endAwaiting = {
  name: 'reply-media-end-1',
  text: 'DELETE FROM replies_awaiting_media WHERE account_id = $1 AND reply_id = $2',
} as const;

/** Parameters: account, reply, whether it has been forwarded. */
const keepAwaiting = {
  name: 'reply-media-keep-1',
  text: `
UPDATE replies_awaiting_media SET forwarded = $3,
  due_at = greatest(forward_at, now() + interval '${RECHECK_SECONDS} seconds')
WHERE account_id = $1 AND reply_id = $2`,
} as const;

/**
 * Replies that wait for their files. A reply is forwarded when all its files are stored or cannot
 * be, after a minute at the latest; if files were missing then, `message.media_ready` follows.
 */
@Injectable()
export class AwaitedMedia {
  constructor(
    private readonly postgres: Postgres,
    private readonly mediaStore: MediaStore,
    private readonly replyEvents: ReplyEvents,
    private readonly accountEvents: AccountEvents,
    private readonly logger: Logger,
  ) {}

  /**
   * Records that charged replies wait; replies whose files are settled already go on within
   * seconds.
   */
  async expect(
    tx: EntityManager,
    replies: readonly { readonly id: string; readonly accountId: string }[],
  ): Promise<void> {
    await this.postgres.run(tx, expectMedia, [replies.map(({ accountId }) => accountId), replies.map(({ id }) => id)]);
  }

  /**
   * Forwards a waiting reply, or reports that its files are there, as far as they are. For a reply
   * that does not wait only open pages are notified. Safe to repeat: the row decides.
   */
  async advance(accountId: string, replyId: string): Promise<void> {
    const recorded = await this.postgres.transaction((tx) => this.advanceIn(tx, accountId, replyId));
    this.replyEvents.enqueue(recorded);
    this.accountEvents.received(accountId, replyId);
  }

  /** Checks a batch of replies that have waited long enough; returns how many. */
  @Every({ name: 'replies with files', everyMs: ({ dispatch }) => dispatch.recoveryIntervalMs, whileMore: true })
  async recover(): Promise<number> {
    const due = await this.postgres.query<{ accountId: string; id: string }>(takeDueReplies, []);
    const { logger } = this;
    return eachDueRow(due, { name: 'replies with files', logger, atOnceMax: 1 }, (reply) =>
      this.advance(reply.accountId, reply.id),
    );
  }

  private async advanceIn(tx: EntityManager, accountId: string, replyId: string): Promise<(string | undefined)[]> {
    const [waiting] = await this.postgres.run<AwaitingReply>(tx, lockAwaiting, [accountId, replyId]);
    if (!waiting) return [];
    const { forwarded, isLate, ...reply } = waiting;
    const media = await this.mediaStore.ofMessage(tx, accountId, replyId);
    const isComplete = media.every(({ state }) => state !== 'pending');
    if (isComplete) await this.postgres.run(tx, endAwaiting, [accountId, replyId]);
    else await this.postgres.run(tx, keepAwaiting, [accountId, replyId, forwarded || isLate]);
    const event = { ...reply, id: replyId, accountId, media };
    if (forwarded) return isComplete ? [await this.replyEvents.mediaReady(tx, event)] : [];
    if (!isComplete && !isLate) return [];
    const { events, callbacks } = await this.replyEvents.received(tx, [event]);
    return [...events, ...callbacks];
  }
}
