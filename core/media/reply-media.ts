import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { MediaReason, MediaStatus } from '#contract/media.js';
import { Postgres } from '../platform/database/postgres.js';
import { isDueAndFree } from '../platform/durable-work/durable-work.js';
import { MediaQueue } from '../platform/queue/queues.js';
import { newMessageId } from '../rules/ids.js';
import { MediaRepository } from './media.repository.js';

/** Recovery enqueues a file again after this time; its job may still be in the queue. */
export const LOST_AFTER_SECONDS = 60;
/**
 * Lease of a file: longer than it takes to fetch and store it, and shorter than a reply waits for
 * its files, so that another worker still copies a dead worker's file in time. Two workers that
 * copy the same file do no harm.
 */
export const LEASE_SECONDS = 30;
const DUE_MAX = 100;

/** A file as the carrier announces it. */
export interface AnnouncedFile {
  /** URL of the file at the carrier. */
  readonly url: string;
  /** Type according to the carrier; undefined if the carrier names no type. */
  readonly type: string | undefined;
}

export interface ReplyWithFiles {
  readonly id: string;
  readonly accountId: string;
  readonly carrier: number;
  readonly files: readonly AnnouncedFile[];
}

/** A file whose copying, or the deletion of the carrier's copy, a worker has claimed. */
export interface ClaimedMedia {
  readonly id: string;
  readonly accountId: string;
  readonly messageId: string;
  readonly state: Exclude<MediaStatus, 'failed'>;
  readonly carrier: number;
  readonly sourceUrl: string;
  readonly createdAt: Date;
  /** The number of this claim. */
  readonly attempts: number;
  readonly failures: number;
}

/** Parameters are arrays: file, account, message, position, carrier, URL, type. */
export const insertExpected = {
  name: 'media-expect-1',
  text: `
INSERT INTO media (id, account_id, direction, message_id, position, state, reason, type, carrier, source_url, due_at)
SELECT n.id, n.account_id, 'inbound', n.message_id, n.position,
  CASE WHEN n.position < ${limits.replyMediaMax} THEN 'pending' ELSE 'failed' END,
  CASE WHEN n.position < ${limits.replyMediaMax} THEN NULL ELSE 'too_many' END,
  n.type, n.carrier, CASE WHEN n.position < ${limits.replyMediaMax} THEN n.source_url END,
  CASE WHEN n.position < ${limits.replyMediaMax} THEN now() + interval '${LOST_AFTER_SECONDS} seconds' END
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[], $6::text[], $7::text[])
  AS n (id, account_id, message_id, position, carrier, source_url, type)`,
} as const;

/** Claims files with a lease. Parameter: ids. */
export const claimMedia = {
  name: 'media-claim-1',
  text: `
WITH waiting AS MATERIALIZED (
  SELECT id FROM media WHERE id = ANY ($1::uuid[]) AND due_at IS NOT NULL AND NOT claimed
  ORDER BY id FOR NO KEY UPDATE
)
UPDATE media m SET claimed = true, attempts = m.attempts + 1, due_at = now() + interval '${LEASE_SECONDS} seconds'
FROM waiting WHERE m.id = waiting.id
RETURNING m.id, m.account_id AS "accountId", m.message_id AS "messageId", m.state, m.carrier,
  m.source_url AS "sourceUrl", m.created_at AS "createdAt", m.attempts, m.failures`,
} as const;

/** Takes files whose job may be lost, and files whose lease has expired. */
export const takeDueMedia = {
  name: 'media-due-2',
  text: `
UPDATE media SET claimed = false, due_at = now() + interval '${LOST_AFTER_SECONDS} seconds'
WHERE ${isDueAndFree('media', DUE_MAX)}
RETURNING id, account_id AS "accountId"`,
} as const;

/** Parameters: file, number of the claim, milliseconds. */
const releaseMedia = {
  name: 'media-release-1',
  text: `
UPDATE media SET claimed = false, failures = failures + 1,
  due_at = now() + $3 * interval '1 millisecond' + interval '${LOST_AFTER_SECONDS} seconds'
WHERE id = $1 AND attempts = $2 AND claimed`,
} as const;

/** The carrier no longer has a copy, or keeps it. Parameter: file. */
const endMedia = {
  name: 'media-end-1',
  text: `UPDATE media SET claimed = false, source_url = NULL, due_at = NULL WHERE id = $1 AND state <> 'pending'`,
} as const;

/**
 * The files of replies as durable work (platform/durable-work): expected in the transaction that
 * stores a reply, claimed by one worker at a time, and due again until they are stored and the
 * carrier's copies deleted.
 */
@Injectable()
export class ReplyMedia {
  constructor(
    private readonly postgres: Postgres,
    private readonly media: MediaRepository,
    private readonly queue: MediaQueue,
  ) {}

  /**
   * Records the files of replies as pending; files beyond the bound of a reply as failed. Their
   * jobs are added after the commit.
   */
  async expect(tx: EntityManager, replies: readonly ReplyWithFiles[]): Promise<void> {
    const rows = replies.flatMap(({ id: messageId, accountId, carrier, files }) =>
      files.map((file, position) => ({ ...file, id: newMessageId(), accountId, messageId, carrier, position })),
    );
    if (rows.length === 0) return;
    await this.postgres.run(tx, insertExpected, [
      rows.map(({ id }) => id),
      rows.map(({ accountId }) => accountId),
      rows.map(({ messageId }) => messageId),
      rows.map(({ position }) => position),
      rows.map(({ carrier }) => carrier),
      rows.map(({ url }) => url),
      rows.map(({ type }) => type ?? null),
    ]);
    this.postgres.afterCommit(tx, () => {
      for (const { id, accountId, position } of rows)
        if (position < limits.replyMediaMax) this.queue.enqueue({ id, accountId });
    });
  }

  /** Claims files for a {@link BatchClaim}. */
  claim(ids: readonly string[]): Promise<ClaimedMedia[]> {
    return this.postgres.query<ClaimedMedia>(claimMedia, [ids]);
  }

  /** Takes a batch of files that are due. */
  takeDue(): Promise<{ id: string; accountId: string }[]> {
    return this.postgres.query(takeDueMedia, []);
  }

  /** Makes the file due again after the delay. An outdated claim changes nothing. */
  async release({ id, attempts }: ClaimedMedia, delayMs: number): Promise<void> {
    await this.postgres.query(releaseMedia, [id, attempts, delayMs]);
  }

  /** Records that the file cannot be stored. */
  async fail({ id, accountId }: ClaimedMedia, reason: MediaReason): Promise<void> {
    await this.postgres.transaction((tx) => this.media.failPending(tx, accountId, id, reason));
  }

  /** Records that nothing is left to do for the file. */
  async end({ id }: ClaimedMedia): Promise<void> {
    await this.postgres.query(endMedia, [id]);
  }
}
