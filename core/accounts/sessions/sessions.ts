import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { SessionsRepository, type SessionAccount } from './sessions.repository.js';

export type { SessionAccount } from './sessions.repository.js';

const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

/** Browser sessions: a random token that only the browser has; the database stores its hash. */
@Injectable()
export class Sessions {
  constructor(
    private readonly postgres: Postgres,
    private readonly sessions: SessionsRepository,
    private readonly auditLog: AuditLog,
  ) {}

  /** Starts a session and returns its token; ends the browser's earlier session. */
  async start(
    accountId: string,
    { method, earlierToken }: { method: 'google' | 'password'; earlierToken: string | undefined },
  ): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await this.postgres.transaction(async (tx) => {
      if (isToken(earlierToken)) await this.sessions.delete(tx, hashOf(earlierToken));
      await this.sessions.insert(tx, hashOf(token), accountId, limits.sessionDaysMax);
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'session.started', details: { method } });
    });
    return token;
  }

  /** Returns the account of a session; undefined when it has ended, is unknown, or belongs to a blocked account. */
  async find(token: string | undefined): Promise<SessionAccount | undefined> {
    if (!isToken(token)) return undefined;
    const found = await this.sessions.find(hashOf(token), limits.sessionIdleDaysMax);
    if (!found) return undefined;
    const { isStale, ...account } = found;
    if (isStale) await this.sessions.touch(hashOf(token));
    return account;
  }

  /** Returns which of these sessions are live. Does not count as use: an open page alone keeps no session alive. */
  async liveAmong(tokens: readonly string[]): Promise<Set<string>> {
    const hashes = tokens.map(hashOf);
    const live = new Set(await this.sessions.liveAmong(hashes, limits.sessionIdleDaysMax));
    return new Set(tokens.filter((_token, index) => live.has(hashes[index]?.toString('hex') ?? '')));
  }

  /** Ends a session; does nothing when it has ended already. */
  async end(token: string | undefined): Promise<void> {
    if (!isToken(token)) return;
    await this.postgres.transaction(async (tx) => {
      const accountId = await this.sessions.delete(tx, hashOf(token));
      if (accountId) await this.auditLog.record(tx, { actor: 'account', accountId, action: 'session.ended' });
    });
  }
}

function isToken(token: string | undefined): token is string {
  return token !== undefined && TOKEN_FORM.test(token);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
