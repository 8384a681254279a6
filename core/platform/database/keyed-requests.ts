import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { DomainError } from '../errors/domain-error.js';

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly key: string;
  readonly bodyHash: Buffer;
}

/**
 * Returns the key of a request that sends nothing, apart from those of messages: a header has no
 * line break.
 */
export function keyOf(kind: 'number' | 'media', idempotencyKey: string): string {
  return `${kind}\n${idempotencyKey}`;
}

/**
 * Returns the UUID that an earlier request with the key has made. Throws `idempotency_conflict` if
 * its body was another.
 */
export async function earlierOf(
  manager: EntityManager,
  { accountId, key, bodyHash }: KeyedRequest,
): Promise<string | undefined> {
  const [row] = await manager.query<{ id: string; isSame: boolean }[]>(
    `SELECT message_id AS id, body_hash = $3 AS "isSame" FROM idempotency_keys
     WHERE account_id = $1 AND key = $2 AND created_at > now() - interval '${limits.idempotencyHours} hours'`,
    [accountId, key, bodyHash],
  );
  if (row?.isSame === false)
    throw new DomainError(
      'idempotency_conflict',
      `This Idempotency-Key was used with another body within ${limits.idempotencyHours} hours. Use a new one.`,
    );
  return row?.id;
}

/**
 * Remembers what a request with an Idempotency-Key has made, by its UUID. Returns false when another
 * request has the key.
 */
export async function remember(tx: EntityManager, request: KeyedRequest, id: string): Promise<boolean> {
  const { accountId, key, bodyHash } = request;
  const rows = await tx.query<object[]>(
    `INSERT INTO idempotency_keys AS mine (account_id, key, body_hash, message_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, key) DO UPDATE
       SET body_hash = excluded.body_hash, message_id = excluded.message_id, deduplicated = false, created_at = now()
       WHERE mine.created_at <= now() - interval '${limits.idempotencyHours} hours'
     RETURNING message_id`,
    [accountId, key, bodyHash, id],
  );
  return rows.length > 0;
}

/** Forgets a request whose work is undone, so that it can be made again. */
export async function forget(manager: EntityManager, { accountId, key }: KeyedRequest, id: string): Promise<void> {
  const values = [accountId, key, id];
  await manager.query('DELETE FROM idempotency_keys WHERE account_id = $1 AND key = $2 AND message_id = $3', values);
}

/** Returns the error of a request whose key a request that ended at the same time has. */
export function inProgress(): DomainError {
  return new DomainError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.');
}
