import { Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Post, UseGuards } from '@nestjs/common';
import type { AccountAnswer, SessionsAnswer } from '#contract/account-settings.js';
import { Accounts } from '#core/accounts/accounts.js';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

const sessionId = new ParseUUIDPipe({
  exceptionFactory: () => new DomainError('session_not_found', 'No session has this id.'),
});

/** /api/dashboard/account and /api/dashboard/sessions */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class AccountSettingsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  @Get('account')
  async show(@SignedIn() { accountId }: SessionAccount): Promise<AccountAnswer> {
    const { email, displayName, signInType, createdAt } = await this.accounts.get(accountId);
    return { email, displayName, signInType, createdAt: createdAt.toISOString() };
  }

  @Get('sessions')
  async listSessions(@SignedIn() account: SessionAccount): Promise<SessionsAnswer> {
    const sessions = await this.sessions.list(account.accountId);
    const views = sessions.map(({ startedAt, lastSeenAt, ...session }) => ({
      ...session,
      startedAt: startedAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      current: session.id === account.sessionId,
    }));
    return { sessions: views.toSorted((a, b) => Number(b.current) - Number(a.current)) };
  }

  /** Ends one session of the account; ending the one that asks signs its browser out. */
  @Delete('sessions/:id')
  async endSession(@SignedIn() account: SessionAccount, @Param('id', sessionId) id: string): Promise<SessionsAnswer> {
    await this.sessions.endOne(account.accountId, id);
    return this.listSessions(account);
  }

  @Post('sessions/end-others')
  @HttpCode(200)
  async endOtherSessions(@SignedIn() account: SessionAccount): Promise<SessionsAnswer> {
    await this.sessions.endOthers(account.accountId, account.sessionId);
    return this.listSessions(account);
  }
}
