import { Injectable } from '@nestjs/common';
import { Not, type EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Config } from '../../platform/config/config.js';
import { GroupCommit, requestLimits } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { SessionEntity } from './session.entity.js';

const TOUCH_MINUTES = 5;
const PURGED_MAX = 10_000;
const LOOKED_UP_MAX = 200;
const LOOK_UPS_IN_FLIGHT_MAX = 2;
/** Browsers that an account remembers. */
const DEVICES_MAX = 100;

/** Condition of a live session `s`; `days` and `idleDays` are parameters. */
const live = (days: string, idleDays: string) =>
  `s.expires_at > now() AND s.created_at > now() - make_interval(days => ${days})
  AND s.seen_at > now() - make_interval(days => ${idleDays})`;

/** Parameters: hashes, lifetime and idle time in days. */
export const findSessions = {
  name: 'sessions-2',
  text: `
SELECT encode(s.token_hash, 'hex') AS hash, a.id AS "accountId", a.email, a.display_name AS "displayName",
  s.id AS "sessionId",
  s.authenticated_at > now() - interval '${limits.freshSignInMinutes} minutes' AS "isFresh",
  s.seen_at <= now() - interval '${TOUCH_MINUTES} minutes' AS "isStale"
FROM sessions s JOIN accounts a ON a.id = s.account_id
WHERE s.token_hash = ANY ($1::bytea[]) AND ${live('$2', '$3')} AND a.blocked_at IS NULL`,
} as const;

/** Parameters: hashes, lifetime and idle time in days. */
export const liveSessions = {
  name: 'sessions-live-2',
  text: `
SELECT encode(s.token_hash, 'hex') AS hash
FROM sessions s JOIN accounts a ON a.id = s.account_id
WHERE s.token_hash = ANY($1::bytea[]) AND ${live('$2', '$3')} AND a.blocked_at IS NULL`,
  shared: true,
} as const;

/** Parameters: account, lifetime and idle time in days. */
export const listSessions = {
  name: 'sessions-list-1',
  text: `
SELECT s.id, s.device, s.address, s.method, s.created_at AS "startedAt", s.seen_at AS "lastSeenAt"
FROM sessions s WHERE s.account_id = $1 AND ${live('$2', '$3')}
ORDER BY s.seen_at DESC, s.id LIMIT ${limits.sessionsMax}`,
} as const;

const touch = {
  name: 'session-touch-1',
  text: `
UPDATE sessions SET seen_at = now()
WHERE token_hash = $1 AND seen_at <= now() - interval '${TOUCH_MINUTES} minutes' RETURNING 1`,
};

const purge = {
  name: 'session-purge-2',
  text: `
DELETE FROM sessions WHERE token_hash IN (
  SELECT s.token_hash FROM sessions s WHERE NOT (${live('$1', '$2')}) LIMIT ${PURGED_MAX}
) RETURNING 1`,
};

/**
 * Remembers a browser of an account, and forgets the least recently seen browsers beyond the bound.
 * Parameters: account, hash. `isNew` is false for an account's first browser.
 */
export const rememberDevice = `
WITH known AS MATERIALIZED (
  SELECT device_hash, seen_at FROM account_devices WHERE account_id = $1
), stored AS (
  INSERT INTO account_devices (account_id, device_hash) VALUES ($1, $2)
  ON CONFLICT (account_id, device_hash) DO UPDATE SET seen_at = now()
), forgotten AS (
  DELETE FROM account_devices WHERE account_id = $1 AND device_hash IN (
    SELECT device_hash FROM known WHERE device_hash <> $2 ORDER BY seen_at DESC OFFSET ${DEVICES_MAX - 1}
  )
)
SELECT EXISTS (SELECT 1 FROM known) AND NOT EXISTS (SELECT 1 FROM known WHERE device_hash = $2) AS "isNew"`;

/** Parameters: email address, hash of a browser's token. */
export const knowsDevice = {
  name: 'account-device-known-1',
  text: `
SELECT EXISTS (
  SELECT FROM accounts a JOIN account_devices d ON d.account_id = a.id
  WHERE lower(a.email) = lower($1) AND d.device_hash = $2
) AS known`,
} as const;

export interface SessionAccount {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
  readonly sessionId: string;
  /** True if the user signed in within the last `limits.freshSignInMinutes`. */
  readonly isFresh: boolean;
}

type FoundSession = SessionAccount & { readonly isStale: boolean };

export type SignInMethod = SessionEntity['method'];

/** The browser that a sign-in comes from. */
export type SessionClient = Readonly<Pick<SessionEntity, 'device' | 'address'>>;

/** A live session as its account sees it. */
export interface SessionView extends SessionClient {
  readonly id: string;
  readonly method: SignInMethod;
  readonly startedAt: Date;
  /** Accurate to some minutes. */
  readonly lastSeenAt: Date;
}

/** Browser sessions by the hash of their token. */
@Injectable()
export class SessionsRepository {
  private readonly days: readonly [lifetime: number, idle: number];
  /** Sessions share round trips, as API keys do. */
  private readonly lookUps: GroupCommit<Buffer, FoundSession | undefined>;

  constructor(
    private readonly postgres: Postgres,
    config: Config,
  ) {
    const { signIn } = config;
    this.days = [signIn.sessionDays, signIn.sessionIdleDays];
    this.lookUps = new GroupCommit({
      ...requestLimits(config),
      batchMax: LOOKED_UP_MAX,
      inFlightMax: LOOK_UPS_IN_FLIGHT_MAX,
      run: (tokenHashes) => this.findAll(tokenHashes),
    });
  }

  /**
   * Inserts a session, and deletes the least recently used sessions beyond `limits.sessionsMax`.
   */
  async insert(
    tx: EntityManager,
    session: SessionClient & { tokenHash: Buffer; accountId: string; method: SignInMethod },
  ): Promise<void> {
    const [days] = this.days;
    await tx.insert(SessionEntity, { ...session, expiresAt: () => `now() + make_interval(days => ${days})` });
    await tx.query(
      `DELETE FROM sessions WHERE token_hash IN (
         SELECT token_hash FROM sessions WHERE account_id = $1
         ORDER BY token_hash = $2 DESC, seen_at DESC OFFSET ${limits.sessionsMax}
       )`,
      [session.accountId, session.tokenHash],
    );
  }

  /** Remembers a browser of the account; returns true if it is new and not the first. */
  async rememberDevice(tx: EntityManager, accountId: string, deviceHash: Buffer): Promise<boolean> {
    const [row] = await tx.query<{ isNew: boolean }[]>(rememberDevice, [accountId, deviceHash]);
    return row?.isNew ?? false;
  }

  /** Deletes a session and returns its account; undefined when there is no such session. */
  async delete(tx: EntityManager, tokenHash: Buffer): Promise<string | undefined> {
    const [rows] = await tx.query<[{ account_id: string }[], number]>(
      'DELETE FROM sessions WHERE token_hash = $1 RETURNING account_id',
      [tokenHash],
    );
    return rows[0]?.account_id;
  }

  /**
   * Locks the account's sessions before one of them ends others; returns false if session `id` was
   * ended meanwhile.
   */
  async lockAll(tx: EntityManager, accountId: string, id: string): Promise<boolean> {
    const statement = 'SELECT id FROM sessions WHERE account_id = $1 ORDER BY token_hash FOR UPDATE';
    return (await tx.query<{ id: string }[]>(statement, [accountId])).some((session) => session.id === id);
  }

  /** Deletes one session of the account; returns whether it existed. */
  async deleteOne(tx: EntityManager, accountId: string, id: string): Promise<boolean> {
    return (await tx.delete(SessionEntity, { accountId, id })).affected === 1;
  }

  /** Deletes the account's sessions except one; returns how many. */
  async deleteAllBut(tx: EntityManager, accountId: string, keptId: string): Promise<number> {
    const ended = await tx.delete(SessionEntity, { accountId, id: Not(keptId) });
    return ended.affected ?? 0;
  }

  /** Locks the account while a session starts; returns whether it still has this password. */
  async keepsPassword(tx: EntityManager, accountId: string, passwordHash: string): Promise<boolean> {
    const statement = 'SELECT 1 FROM accounts WHERE id = $1 AND password_hash = $2 FOR SHARE';
    return (await tx.query<object[]>(statement, [accountId, passwordHash])).length > 0;
  }

  /** Returns a live session: within both time limits, of an account that is not blocked. */
  async find(tokenHash: Buffer): Promise<FoundSession | undefined> {
    return this.lookUps.submit(tokenHash);
  }

  private async findAll(tokenHashes: readonly Buffer[]): Promise<(FoundSession | undefined)[]> {
    const values = [tokenHashes, ...this.days];
    const rows = await this.postgres.query<FoundSession & { hash: string }>(findSessions, values);
    const found = new Map(rows.map(({ hash, ...session }) => [hash, session]));
    return tokenHashes.map((tokenHash) => found.get(tokenHash.toString('hex')));
  }

  /** Returns, in hex, the hashes that belong to live sessions. */
  async liveAmong(tokenHashes: readonly Buffer[]): Promise<string[]> {
    const rows = await this.postgres.query<{ hash: string }>(liveSessions, [tokenHashes, ...this.days]);
    return rows.map(({ hash }) => hash);
  }

  /** Lists the account's live sessions, last used first. */
  async list(accountId: string): Promise<SessionView[]> {
    return this.postgres.query<SessionView>(listSessions, [accountId, ...this.days]);
  }

  async touch(tokenHash: Buffer): Promise<void> {
    await this.postgres.query(touch, [tokenHash]);
  }

  /** Makes a session fresh again. */
  async authenticate(tx: EntityManager, id: string): Promise<void> {
    await tx.update(SessionEntity, { id }, { authenticatedAt: () => 'now()' });
  }

  /**
   * Deletes ended sessions, and browsers unseen for so long that they have lost their cookie;
   * returns the number of sessions.
   */
  async purge(): Promise<number> {
    const forgotten = `DELETE FROM account_devices WHERE seen_at <= now() - make_interval(days => $1)`;
    await this.postgres.query({ text: forgotten }, [limits.deviceDaysMax]);
    return (await this.postgres.query(purge, [...this.days])).length;
  }
}
