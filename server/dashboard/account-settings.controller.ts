import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Post,
  Put,
  type StreamableFile,
  UseGuards,
} from '@nestjs/common';
import {
  type AccountAnswer,
  countriesBody,
  type CountriesBody,
  deleteAccountBody,
  type DeleteAccountBody,
  noticeKinds,
  noticesBody,
  type NoticesBody,
  type SessionsAnswer,
} from '#contract/account.js';
import { Accounts } from '#core/accounts/accounts.js';
import { Notices } from '#core/mail/notices.js';
import { type SessionAccount, Sessions } from '#core/accounts/sessions/sessions.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { ClientAddress, FreshSignInGuard, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { ActionLimits } from '../http/rate-limits.js';
import { AccountExport, jsonDownload } from './downloads.js';
import { AccountDeletion } from '#core/accounts/account-deletion.js';

const sessionId = new ParseUUIDPipe({
  exceptionFactory: () => new DomainError('session_not_found', 'No session has this id.'),
});

/** /api/dashboard/account, /notices, /countries, /export and /sessions */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class AccountSettingsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly deletion: AccountDeletion,
    private readonly notices: Notices,
    private readonly accountExport: AccountExport,
    private readonly actionLimits: ActionLimits,
    private readonly auditLog: AuditLog,
  ) {}

  @Get('account')
  async show(@SignedIn() { accountId }: SessionAccount): Promise<AccountAnswer> {
    const account = await this.accounts.get(accountId);
    const { email, displayName, signInType, mutedNotices, disabledCountries, createdAt, deleteAt } = account;
    return {
      email,
      displayName,
      signInType,
      emailVerified: account.isEmailVerified,
      createdAt: createdAt.toISOString(),
      notices: noticeKinds.filter((kind) => !mutedNotices.includes(kind)),
      disabledCountries,
      deleteAt: deleteAt?.toISOString() ?? null,
    };
  }

  /** Needs a fresh sign-in, so that a stolen session cannot hide what it does. */
  @Put('notices')
  @UseGuards(FreshSignInGuard)
  async chooseNotices(
    @Body({ schema: noticesBody }) { notices }: NoticesBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<AccountAnswer> {
    await this.notices.choose(account.accountId, notices, address);
    return this.show(account);
  }

  /** Needs a fresh sign-in, so that a stolen session cannot open expensive countries. */
  @Put('countries')
  @UseGuards(FreshSignInGuard)
  async chooseCountries(
    @Body({ schema: countriesBody }) { disabledCountries }: CountriesBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<AccountAnswer> {
    await this.accounts.disableCountries(account.accountId, disabledCountries, address);
    return this.show(account);
  }

  /** Streams everything that the account has stored. */
  @Get('export')
  @UseGuards(FreshSignInGuard)
  async export(@SignedIn() { accountId }: SessionAccount, @ClientAddress() address: string): Promise<StreamableFile> {
    await this.actionLimits.takeExport(accountId);
    await this.auditLog.recordAlone({ actor: 'account', accountId, action: 'account.exported', address });
    return jsonDownload('account', this.accountExport.document(accountId));
  }

  /** Schedules the deletion of the account. */
  @Post('account/delete')
  @HttpCode(200)
  @UseGuards(FreshSignInGuard)
  async delete(
    @Body({ schema: deleteAccountBody }) { email }: DeleteAccountBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<AccountAnswer> {
    if (email.trim().toLowerCase() !== account.email.toLowerCase())
      throw new DomainError('email_mismatch', 'Nothing was changed.');
    await this.deletion.request(account, address);
    return this.show(account);
  }

  /** Cancels the deletion of the account. */
  @Post('account/keep')
  @HttpCode(200)
  async keep(@SignedIn() account: SessionAccount, @ClientAddress() address: string): Promise<AccountAnswer> {
    await this.deletion.cancel(account.accountId, address);
    return this.show(account);
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

  /** Ends one session of the account; ending the current one signs its browser out. */
  @Delete('sessions/:id')
  async endSession(
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
    @Param('id', sessionId) id: string,
  ): Promise<SessionsAnswer> {
    await this.sessions.endOne(account, id, address);
    return this.listSessions(account);
  }

  @Post('sessions/end-others')
  @HttpCode(200)
  async endOtherSessions(
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<SessionsAnswer> {
    await this.sessions.endOthers(account, address);
    return this.listSessions(account);
  }
}
