import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Notices } from '../../mail/notices.js';
import {
  knowsDevice,
  SessionsRepository,
  type SessionAccount,
  type SessionClient,
  type SessionView,
  type SignInMethod,
} from './sessions.repository.js';

export type { SessionAccount, SessionClient, SessionView } from './sessions.repository.js';

/** Refusal of a sign-in; the same for a known and an unknown address. */
export const WRONG_PASSWORD = 'The email address or the password is wrong.';

const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

/** A sign-in that starts a session. */
interface NewSession {
  readonly method: SignInMethod;
  /**
   * Hash of the password that was checked. No session starts if the password has changed since.
   */
  readonly passwordHash?: string;
  /** Token of the browser's earlier session, which ends. */
  readonly earlierToken: string | undefined;
  /** The browser; `token` is the random value by which it is recognized. */
  readonly client?: SessionClient & { readonly token: string };
}

/** A session that ends others of its account. */
type EndingSession = Pick<SessionAccount, 'accountId' | 'sessionId'>;

/** Browser sessions: a random token that only the browser has; the database stores its hash. */
@Injectable()
export class Sessions {
  constructor(
    private readonly postgres: Postgres,
    private readonly sessions: SessionsRepository,
    private readonly auditLog: AuditLog,
    private readonly notices: Notices,
  ) {}

  /**
   * Starts a session and returns its token; ends the browser's earlier session. Throws
   * `sign_in_failed`.
   */
  async start(accountId: string, { method, passwordHash, earlierToken, client }: NewSession): Promise<string> {
    const token = Sessions.newToken();
    const start = async (tx: EntityManager) => {
      if (passwordHash !== undefined && !(await this.sessions.keepsPassword(tx, accountId, passwordHash)))
        throw new DomainError('sign_in_failed', WRONG_PASSWORD);
      const { device, address } = client ?? { device: '', address: '' };
      const entry = { actor: 'account', accountId, action: 'session.started', address: client?.address } as const;
      await this.sessions.insert(tx, { tokenHash: hashOf(token), accountId, method, device, address });
      await this.auditLog.record(tx, { ...entry, details: { method } });
      if (client) await this.noticeDevice(tx, accountId, client);
    };
    await this.postgres.ofAccount(accountId, () => this.postgres.change(start));
    // The session may be of another account.
    if (isToken(earlierToken)) {
      const earlier = hashOf(earlierToken);
      await this.ofSession(earlier, () => this.postgres.transaction((tx) => this.sessions.delete(tx, earlier)));
    }
    return token;
  }

  /** Returns whether the account of an address has been signed in to in this browser. */
  async knowsDevice(email: string, token: string): Promise<boolean> {
    if (!isToken(token)) return false;
    const [row] = await this.postgres.ofKey('accounts_email', email.toLowerCase(), () =>
      this.postgres.query<{ known: boolean }>(knowsDevice, [email, hashOf(token)]),
    );
    return row?.known ?? false;
  }

  /** A random token, of a session or a browser. */
  static newToken(): string {
    return randomBytes(TOKEN_BYTES).toString('base64url');
  }

  /**
   * Returns the account of a session; undefined when it has ended, is unknown, or belongs to a
   * blocked account.
   */
  async find(token: string | undefined): Promise<SessionAccount | undefined> {
    if (!isToken(token)) return undefined;
    const hash = hashOf(token);
    return this.ofSession(hash, async () => {
      const found = await this.sessions.find(hash);
      if (!found) return undefined;
      const { isStale, ...account } = found;
      if (isStale) await this.sessions.touch(hash);
      return account;
    });
  }

  /**
   * Returns the tokens of live sessions. Does not count as use: an open page alone keeps no session
   * alive.
   */
  async liveAmong(tokens: readonly string[]): Promise<Set<string>> {
    const hashes = tokens.map(hashOf);
    const live = new Set(await this.sessions.liveAmong(hashes));
    return new Set(tokens.filter((_token, index) => live.has(hashes[index]?.toString('hex') ?? '')));
  }

  /** Lists the account's live sessions, last used first. */
  async list(accountId: string): Promise<SessionView[]> {
    return this.sessions.list(accountId);
  }

  /**
   * Ends one session of the caller's account. Throws `not_signed_in` when the caller's own session
   * was ended meanwhile, and `session_not_found`.
   */
  async endOne({ accountId, sessionId }: EndingSession, id: string, address?: string): Promise<void> {
    await this.postgres.change(async (tx) => {
      await this.holdAll(tx, accountId, sessionId);
      if (!(await this.sessions.deleteOne(tx, accountId, id)))
        throw new DomainError('session_not_found', 'It has ended already.');
      await this.auditLog.record(tx, {
        actor: 'account',
        accountId,
        action: 'session.ended',
        address,
        details: { other: true },
      });
    });
  }

  /**
   * Ends the account's sessions except the caller's own; returns how many. Of several sessions that
   * end each other at the same time, the first to lock them stays. Throws `not_signed_in` when the
   * caller's own session was ended meanwhile.
   */
  async endOthers({ accountId, sessionId }: EndingSession, address?: string): Promise<number> {
    return this.postgres.change(async (tx) => {
      await this.holdAll(tx, accountId, sessionId);
      const sessions = await this.sessions.deleteAllBut(tx, accountId, sessionId);
      if (sessions > 0)
        await this.auditLog.record(tx, {
          actor: 'account',
          accountId,
          action: 'session.others_ended',
          address,
          details: { sessions },
        });
      return sessions;
    });
  }

  /** Makes a session fresh after its user has confirmed the password. */
  async confirm({ accountId, sessionId }: SessionAccount, address?: string): Promise<void> {
    await this.postgres.change(async (tx) => {
      await this.sessions.authenticate(tx, sessionId);
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'session.confirmed', address });
    });
  }

  /** Ends a session; does nothing when it has ended already. */
  async end(token: string | undefined, address?: string): Promise<void> {
    if (!isToken(token)) return;
    const hash = hashOf(token);
    await this.ofSession(hash, () =>
      this.postgres.transaction(async (tx) => {
        const accountId = await this.sessions.delete(tx, hash);
        if (accountId)
          await this.auditLog.record(tx, { actor: 'account', accountId, action: 'session.ended', address });
      }),
    );
  }

  private async holdAll(tx: EntityManager, accountId: string, sessionId: string): Promise<void> {
    if (await this.sessions.lockAll(tx, accountId, sessionId)) return;
    throw new DomainError('not_signed_in', 'Another device has ended your session. Sign in again.');
  }

  private ofSession<T>(hash: Buffer, work: () => Promise<T>): Promise<T> {
    return this.postgres.ofKey('session', hash.toString('hex'), work);
  }

  /**
   * Emails the owner about a sign-in from an unknown browser, unless it is the account's first
   * browser.
   */
  private async noticeDevice(
    tx: EntityManager,
    accountId: string,
    { token, device, address }: SessionClient & { readonly token: string },
  ): Promise<void> {
    if (!(await this.sessions.rememberDevice(tx, accountId, hashOf(token)))) return;
    const content = { kind: 'new_device', device, address, at: new Date().toISOString() } as const;
    await this.notices.send(tx, accountId, content);
  }
}

function isToken(token: string | undefined): token is string {
  return token !== undefined && TOKEN_FORM.test(token);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
