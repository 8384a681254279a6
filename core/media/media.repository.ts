import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MediaReason } from '#contract/media.js';
import { Postgres, type Statement } from '../platform/database/postgres.js';
import { isDueAndFree } from '../platform/durable-work/durable-work.js';
import type { DayUse, FittedTo, KnownFile, Media, MediaDirection } from './media.js';

const columns = `id, account_id AS "accountId", direction, message_id AS "messageId", state, reason, type,
  bytes::float8 AS bytes, encode(sha256, 'hex') AS sha256, has_thumbnail AS "hasThumbnail",
  created_at AS "createdAt", expires_at AS "expiresAt"`;

/** Parameters: account, file. */
export const findMedia = {
  name: 'media-find-1',
  text: `SELECT ${columns} FROM media WHERE account_id = $1 AND id = $2`,
} as const;

/** Parameter: file. */
export const findMediaById = {
  name: 'media-find-by-id-1',
  text: `SELECT ${columns} FROM media WHERE id = $1`,
} as const;

/** Parameters: account, files. */
export const findAllMedia = {
  name: 'media-find-all-1',
  text: `SELECT ${columns} FROM media WHERE account_id = $1 AND id = ANY ($2::uuid[])`,
} as const;

/** Parameters: account, original picture, bytes for which the picture was made. */
export const findFittedMedia = {
  name: 'media-find-fitted-1',
  text: `SELECT ${columns} FROM media
WHERE account_id = $1 AND original_id = $2 AND fitted_to = $3 AND state = 'stored' ORDER BY id LIMIT 1`,
} as const;

/** Parameters: account, files, time. */
export const keepMedia = {
  name: 'media-keep-1',
  text: `
UPDATE media SET kept_until = greatest(kept_until, $3::timestamptz)
WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND state = 'stored'
RETURNING id`,
} as const;

/** Parameters: account, message. */
export const mediaOfMessage = {
  name: 'media-of-message-1',
  text: `
SELECT ${columns} FROM media WHERE account_id = $1 AND message_id = $2 ORDER BY position`,
} as const;

/**
 * Locks the account's files until the transaction ends: stored files, their sizes, and deletions.
 * Parameter: account.
 */
const lockFiles = {
  name: 'media-lock-1',
  text: `SELECT pg_advisory_xact_lock(hashtext('media'), hashtext($1))`,
} as const;

/** Parameters: account, direction, a file that does not count. */
export const dayUse = {
  name: 'media-day-use-1',
  text: `
SELECT count(*)::int AS files, coalesce(sum(bytes), 0)::float8 AS bytes FROM media
WHERE account_id = $1 AND direction = $2 AND stored_at > now() - interval '24 hours' AND id <> $3
  AND original_id IS NULL`,
} as const;

/** Parameters: account, hash. A file that waits to be deleted stays. */
const keepFile = {
  name: 'media-deletion-cancel-1',
  text: `DELETE FROM media_deletions WHERE account_id = $1 AND sha256 = $2 AND NOT deleting`,
} as const;
/** Parameters: account, hash. */
const isDeleting = {
  name: 'media-is-deleting-1',
  text: `SELECT FROM media_deletions WHERE account_id = $1 AND sha256 = $2`,
} as const;

/** Parameters: file, account, type, bytes, hash, original picture, bytes for which it was made. */
export const insertUpload = {
  name: 'media-insert-upload-1',
  text: `
INSERT INTO media (id, account_id, direction, state, type, bytes, sha256, stored_at, original_id, fitted_to)
VALUES ($1, $2, 'outbound', 'pending', $3, $4, $5, now(), $6, $7)`,
} as const;

/**
 * Parameters: file, account, type, bytes, hash. Returns the hash that an earlier attempt has named.
 */
export const nameContent = {
  name: 'media-name-content-1',
  text: `
UPDATE media m SET type = $3, bytes = $4, sha256 = $5, stored_at = now()
FROM (SELECT sha256 AS earlier FROM media WHERE id = $1 AND account_id = $2 AND state = 'pending' FOR UPDATE) o
WHERE m.id = $1 AND m.account_id = $2
RETURNING encode(o.earlier, 'hex') AS earlier`,
} as const;

/** Parameters: account, file, whether it has a thumbnail, days. */
export const markStored = {
  name: 'media-mark-stored-1',
  text: `
UPDATE media SET state = 'stored', has_thumbnail = $3, failures = 0, expires_at = created_at + make_interval(days => $4)
WHERE account_id = $1 AND id = $2 AND state = 'pending' AND sha256 IS NOT NULL
RETURNING ${columns}`,
} as const;

/** Parameters: account, hashes. Queues the files that no row names for deletion. */
export const deleteUnnamed = {
  name: 'media-delete-unnamed-1',
  text: `
INSERT INTO media_deletions (account_id, sha256)
SELECT $1, n.sha256 FROM (SELECT DISTINCT unnest($2::bytea[]) AS sha256) n
WHERE NOT EXISTS (SELECT FROM media m WHERE m.account_id = $1 AND m.sha256 = n.sha256)
ON CONFLICT DO NOTHING`,
} as const;

const EXPIRED_MAX = 500;
/** No message needs the file. */
const isFree = '(kept_until IS NULL OR kept_until <= now())';

/** Accounts with files to expire. Parameter: days. */
export const accountsExpiring = {
  name: 'media-accounts-expiring-1',
  text: `
SELECT DISTINCT account_id AS "accountId" FROM (
  SELECT account_id FROM media
  WHERE state = 'stored' AND (expires_at <= now() OR created_at <= now() - make_interval(days => $1))
    AND ${isFree}
  LIMIT ${EXPIRED_MAX}
) due`,
} as const;

/** Parameters: account, days. Returns the hashes of the files. */
export const expire = {
  name: 'media-expire-1',
  text: `
UPDATE media m SET state = 'expired', sha256 = NULL, has_thumbnail = false
FROM (
  SELECT id, sha256 FROM media
  WHERE account_id = $1 AND state = 'stored'
    AND (expires_at <= now() OR created_at <= now() - make_interval(days => $2))
    AND ${isFree}
  LIMIT ${EXPIRED_MAX} FOR UPDATE
) o
WHERE m.id = o.id
RETURNING o.sha256`,
} as const;

/** Hours after which the process of a pending upload must have died: no upload takes so long. */
const ABANDONED_HOURS = 1;

export const accountsAbandoning = {
  name: 'media-accounts-abandoning-1',
  text: `
SELECT DISTINCT account_id AS "accountId" FROM media
WHERE state = 'pending' AND direction = 'outbound' AND created_at <= now() - interval '${ABANDONED_HOURS} hours'`,
} as const;

/** Parameter: account. */
export const removeAbandoned = {
  name: 'media-remove-abandoned-1',
  text: `
DELETE FROM media WHERE account_id = $1 AND state = 'pending' AND direction = 'outbound'
  AND created_at <= now() - interval '${ABANDONED_HOURS} hours'
RETURNING sha256`,
} as const;

/** Parameters: account, file. */
export const removePending = {
  name: 'media-remove-pending-1',
  text: `DELETE FROM media WHERE account_id = $1 AND id = $2 AND state = 'pending' RETURNING sha256`,
} as const;

/** Parameters: account, file, reason. */
export const failPending = {
  name: 'media-fail-pending-1',
  text: `
UPDATE media m SET state = 'failed', reason = $3, bytes = NULL, sha256 = NULL, stored_at = NULL, source_url = NULL,
  claimed = false, due_at = NULL
FROM (SELECT id, sha256 FROM media WHERE account_id = $1 AND id = $2 AND state = 'pending' FOR UPDATE) o
WHERE m.id = o.id
RETURNING o.sha256`,
} as const;

/** Erases a file except its type and size. The file's job, due then, deletes the carrier's copy. */
const erase = (which: string) => `
UPDATE media m SET state = 'expired', reason = NULL, sha256 = NULL, has_thumbnail = false, claimed = false,
  failures = 0, due_at = CASE WHEN source_url IS NOT NULL THEN now() END
FROM (SELECT id, sha256 FROM media WHERE account_id = $1 AND ${which} FOR UPDATE) o
WHERE m.id = o.id
RETURNING o.sha256`;

/** Parameter: account. */
export const removeAll = {
  text: 'DELETE FROM media WHERE account_id = $1 AND source_url IS NULL RETURNING sha256',
} as const;
/** Erases files of which the carrier still has a copy. Parameter: account. */
export const eraseRest = { text: erase('true') } as const;

/** Parameters: account, messages. */
export const eraseOfMessages = { text: erase('message_id = ANY ($2::uuid[])') } as const;

/** Parameters: account, files. */
export const eraseFiles = { text: erase('id = ANY ($2::uuid[])') } as const;

const DELETIONS_MAX = 100;
/** Time after which a deletion is repeated, in case its process has died. */
const DELETION_SECONDS = 300;

export const takeDeletions = {
  name: 'media-take-deletions-2',
  text: `
UPDATE media_deletions SET deleting = true, due_at = now() + interval '${DELETION_SECONDS} seconds'
WHERE ${isDueAndFree('media_deletions', DELETIONS_MAX, { key: 'account_id, sha256' })}
RETURNING account_id AS "accountId", encode(sha256, 'hex') AS sha256`,
} as const;

/** Parameters: account, hash. */
export const finishDeletion = {
  name: 'media-finish-deletion-1',
  text: 'DELETE FROM media_deletions WHERE account_id = $1 AND sha256 = $2 AND deleting',
} as const;

/** A file that no row names. */
export interface UnnamedFile {
  readonly accountId: string;
  /** In hex. */
  readonly sha256: string;
}

interface Hash {
  readonly sha256: Buffer | null;
}

/** Reads and writes the rows of files. */
@Injectable()
export class MediaRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(accountId: string, id: string): Promise<Media | undefined> {
    return (await this.postgres.query<Media>(findMedia, [accountId, id]))[0];
  }

  /** Finds a file of any account. */
  async findById(id: string): Promise<Media | undefined> {
    return (await this.postgres.query<Media>(findMediaById, [id]))[0];
  }

  findAll(accountId: string, ids: readonly string[]): Promise<Media[]> {
    return this.postgres.query<Media>(findAllMedia, [accountId, [...ids]]);
  }

  async findFitted(accountId: string, { originalId, bytesMax }: FittedTo): Promise<Media | undefined> {
    return (await this.postgres.query<Media>(findFittedMedia, [accountId, originalId, bytesMax]))[0];
  }

  /** Returns the ids of the stored files. */
  async keepUntil(accountId: string, ids: readonly string[], until: Date): Promise<string[]> {
    const rows = await this.postgres.query<{ id: string }>(keepMedia, [accountId, [...ids], until]);
    return rows.map(({ id }) => id);
  }

  /** Returns the files of a message, in order. */
  ofMessage(tx: EntityManager, accountId: string, messageId: string): Promise<Media[]> {
    return this.postgres.run<Media>(tx, mediaOfMessage, [accountId, messageId]);
  }

  /** See {@link lockFiles}. */
  async lock(tx: EntityManager, accountId: string): Promise<void> {
    await this.postgres.run(tx, lockFiles, [accountId]);
  }

  /** Returns the account's use of the last 24 hours, without the file `exceptId`. */
  async usedToday(
    tx: EntityManager,
    accountId: string,
    { direction, exceptId }: { direction: MediaDirection; exceptId: string },
  ): Promise<DayUse> {
    const [row] = await this.postgres.run<DayUse>(tx, dayUse, [accountId, direction, exceptId]);
    return row ?? { files: 0, bytes: 0 };
  }

  /** Keeps a file from being deleted; false while it is being deleted. */
  async keep(tx: EntityManager, accountId: string, sha256: string): Promise<boolean> {
    const values = [accountId, Buffer.from(sha256, 'hex')];
    await this.postgres.run(tx, keepFile, values);
    return (await this.postgres.run<object>(tx, isDeleting, values)).length === 0;
  }

  /** Records the content of a new upload, which is pending. */
  async insertUpload(
    tx: EntityManager,
    id: string,
    accountId: string,
    file: KnownFile,
    fitted: FittedTo | undefined,
  ): Promise<void> {
    const values = [...contentOf(id, accountId, file), fitted?.originalId ?? null, fitted?.bytesMax ?? null];
    await this.postgres.run(tx, insertUpload, values);
  }

  /** Records the content of a pending file; false if it is no longer pending. */
  async nameContent(tx: EntityManager, id: string, accountId: string, file: KnownFile): Promise<boolean> {
    const values = contentOf(id, accountId, file);
    const rows = await this.postgres.run<{ earlier: string | null }>(tx, nameContent, values);
    const [row] = rows;
    if (row?.earlier && row.earlier !== file.sha256)
      await this.deleteUnnamed(tx, accountId, [Buffer.from(row.earlier, 'hex')]);
    return row !== undefined;
  }

  /** Returns undefined if the file is no longer pending. */
  async markStored(
    tx: EntityManager,
    { accountId, id }: Pick<Media, 'accountId' | 'id'>,
    { hasThumbnail, keptDays }: { hasThumbnail: boolean; keptDays: number },
  ): Promise<Media | undefined> {
    const rows = await this.postgres.run<Media>(tx, markStored, [accountId, id, hasThumbnail, keptDays]);
    return rows[0];
  }

  /** Removes a pending file; its written bytes are deleted. */
  async removePending(tx: EntityManager, accountId: string, id: string): Promise<void> {
    await this.unname(tx, accountId, removePending, [accountId, id]);
  }

  /** Records that a pending file cannot be stored, and why. */
  async failPending(tx: EntityManager, accountId: string, id: string, reason: MediaReason): Promise<void> {
    await this.unname(tx, accountId, failPending, [accountId, id, reason]);
  }

  /** Accounts with files that are older than `keptDays`, or have expired. */
  async accountsExpiring(keptDays: number): Promise<string[]> {
    const rows = await this.postgres.query<{ accountId: string }>(accountsExpiring, [keptDays]);
    return rows.map(({ accountId }) => accountId);
  }

  /** Expires a batch of the account's files; returns how many. */
  expire(tx: EntityManager, accountId: string, keptDays: number): Promise<number> {
    return this.unname(tx, accountId, expire, [accountId, keptDays]);
  }

  /** Accounts with abandoned uploads. */
  async accountsAbandoning(): Promise<string[]> {
    const rows = await this.postgres.query<{ accountId: string }>(accountsAbandoning, []);
    return rows.map(({ accountId }) => accountId);
  }

  /** Removes the account's abandoned uploads; returns how many. */
  removeAbandoned(tx: EntityManager, accountId: string): Promise<number> {
    return this.unname(tx, accountId, removeAbandoned, [accountId]);
  }

  /**
   * Removes everything of an account; a row stays empty while the carrier has a copy of its file.
   */
  async removeAll(tx: EntityManager, accountId: string): Promise<void> {
    await this.unname(tx, accountId, removeAll, [accountId]);
    await this.unname(tx, accountId, eraseRest, [accountId]);
  }

  /** Erases the files of messages; their number, types and sizes stay. */
  eraseOfMessages(tx: EntityManager, accountId: string, messageIds: readonly string[]): Promise<number> {
    return this.unname(tx, accountId, eraseOfMessages, [accountId, messageIds]);
  }

  eraseFiles(tx: EntityManager, accountId: string, ids: readonly string[]): Promise<number> {
    return this.unname(tx, accountId, eraseFiles, [accountId, ids]);
  }

  /** Takes a batch of files to delete, for a few minutes. */
  async takeDeletions(): Promise<UnnamedFile[]> {
    return this.postgres.query<UnnamedFile>(takeDeletions, []);
  }

  /** Records that a taken file has been deleted. */
  async finishDeletion({ accountId, sha256 }: UnnamedFile): Promise<void> {
    await this.postgres.query(finishDeletion, [accountId, Buffer.from(sha256, 'hex')]);
  }

  /**
   * Runs a statement after which rows no longer name their files, and queues files that no row
   * names for deletion; returns the number of rows.
   */
  private async unname(tx: EntityManager, accountId: string, statement: Statement, values: unknown[]): Promise<number> {
    await this.lock(tx, accountId);
    const rows = await this.postgres.run<Hash>(tx, statement, values);
    const hashes = rows.flatMap(({ sha256 }) => sha256 ?? []);
    if (hashes.length > 0) await this.deleteUnnamed(tx, accountId, hashes);
    return rows.length;
  }

  private async deleteUnnamed(tx: EntityManager, accountId: string, hashes: readonly Buffer[]): Promise<void> {
    await this.postgres.run(tx, deleteUnnamed, [accountId, hashes]);
  }
}

function contentOf(id: string, accountId: string, { type, bytes, sha256 }: KnownFile): unknown[] {
  return [id, accountId, type, bytes, Buffer.from(sha256, 'hex')];
}
