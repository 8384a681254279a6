import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../../platform/database/postgres.js';

const TOUCH_MINUTES = 5;
const PURGED_MAX = 10_000;

const find = {
  name: 'session-1',
  text: `
SELECT a.id AS "accountId", a.email, a.display_name AS "displayName",
  s.seen_at <= now() - interval '${TOUCH_MINUTES} minutes' AS "isStale"
FROM sessions s JOIN accounts a ON a.id = s.account_id
WHERE s.token_hash = $1 AND s.expires_at > now() AND s.seen_at > now() - make_interval(days => $2)
  AND a.blocked_at IS NULL`,
};

const liveAmong = {
  name: 'sessions-live-1',
  text: `
SELECT encode(s.token_hash, 'hex') AS hash
FROM sessions s JOIN accounts a ON a.id = s.account_id
WHERE s.token_hash = ANY($1::bytea[]) AND s.expires_at > now() AND s.seen_at > now() - make_interval(days => $2)
  AND a.blocked_at IS NULL`,
};

const touch = {
  name: 'session-touch-1',
  text: `
UPDATE sessions SET seen_at = now()
WHERE token_hash = $1 AND seen_at <= now() - interval '${TOUCH_MINUTES} minutes' RETURNING 1`,
};

const purge = {
  name: 'session-purge-1',
  text: `
DELETE FROM sessions WHERE token_hash IN (
  SELECT token_hash FROM sessions WHERE expires_at <= now() OR seen_at <= now() - make_interval(days => $1)
  LIMIT ${PURGED_MAX}
) RETURNING 1`,
};

/** The account of a session. */
export interface SessionAccount {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
}

/** Browser sessions by the hash of their token. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly postgres: Postgres) {}

  async insert(tx: EntityManager, tokenHash: Buffer, accountId: string, daysMax: number): Promise<void> {
    await tx.query(
      `INSERT INTO sessions (token_hash, account_id, expires_at) VALUES ($1, $2, now() + make_interval(days => $3))`,
      [tokenHash, accountId, daysMax],
    );
  }

  /** Deletes a session and returns its account; undefined when there is no such session. */
  async delete(tx: EntityManager, tokenHash: Buffer): Promise<string | undefined> {
    const [rows] = await tx.query<[{ account_id: string }[], number]>(
      'DELETE FROM sessions WHERE token_hash = $1 RETURNING account_id',
      [tokenHash],
    );
    return rows[0]?.account_id;
  }

  /** Returns a live session: within both time limits, of an account that is not blocked. */
  async find(tokenHash: Buffer, idleDaysMax: number): Promise<(SessionAccount & { isStale: boolean }) | undefined> {
    const [row] = await this.postgres.query<SessionAccount & { isStale: boolean }>(find, [tokenHash, idleDaysMax]);
    return row;
  }

  /** Returns which of these hashes are of live sessions, in hex. */
  async liveAmong(tokenHashes: readonly Buffer[], idleDaysMax: number): Promise<string[]> {
    const rows = await this.postgres.query<{ hash: string }>(liveAmong, [tokenHashes, idleDaysMax]);
    return rows.map(({ hash }) => hash);
  }

  async touch(tokenHash: Buffer): Promise<void> {
    await this.postgres.query(touch, [tokenHash]);
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query('DELETE FROM sessions WHERE account_id = $1', [accountId]);
  }

  /** Deletes ended sessions and returns how many. */
  async purge(idleDaysMax: number): Promise<number> {
    return (await this.postgres.query(purge, [idleDaysMax])).length;
  }
}
