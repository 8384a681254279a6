import { Body, Controller, Get, Header, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  rotateKeyBody,
  type KeysAnswer,
  type RotateKeyBody,
  type ReaderKeyAnswer,
  welcomeEmailBody,
  type WelcomeEmailAnswer,
  type WelcomeEmailBody,
} from '#contract/account.js';
import { ApiKeys } from '#core/accounts/api-keys.js';
import { WelcomeMails } from '#core/accounts/sign-in/welcome-mails.js';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { ClientAddress, FreshSignInGuard, SessionCookie, SessionGuard, SignedIn } from '../auth/session.guard.js';

/** /api/dashboard/key, /api/dashboard/reader-key and /api/welcomeemail */
@Controller('api')
export class AccountController {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly welcomeMails: WelcomeMails,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('dashboard/key')
  @UseGuards(SessionGuard)
  async keys(@SignedIn() { accountId }: SessionAccount): Promise<KeysAnswer> {
    const { createdAt, lastUsedAt, earlier, ...key } = await this.apiKeys.list(accountId);
    return {
      ...key,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      earlier: earlier.map((one) => ({
        masked: one.masked,
        lastUsedAt: one.lastUsedAt?.toISOString() ?? null,
        expiresAt: one.expiresAt.toISOString(),
      })),
    };
  }

  @Post('dashboard/key/rotate')
  @HttpCode(200)
  @UseGuards(SessionGuard, FreshSignInGuard)
  async rotate(
    @Body({ schema: rotateKeyBody }) { keepOldForHours }: RotateKeyBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<KeysAnswer> {
    await this.apiKeys.rotate(account.accountId, keepOldForHours, address);
    return this.keys(account);
  }

  /**
   * Returns the test key for the samples in the documentation, a public page. Without a session the answer is 200 with a null
   * key, because browsers report a 401 as an error of the page.
   */
  @Get('dashboard/reader-key')
  @Header('Cache-Control', 'no-store')
  async readerKey(@Req() request: FastifyRequest): Promise<ReaderKeyAnswer> {
    const account = await this.sessions.find(this.cookie.read(request));
    if (!account) return { testKey: null };
    const { apiKey } = await this.apiKeys.list(account.accountId);
    return { testKey: `${apiKey}_test` };
  }

  /** Sends the welcome e-mail to the session's own address, once. */
  @Post('welcomeemail')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  async welcome(
    @SignedIn() { accountId: id, email, displayName }: SessionAccount,
    @Body({ schema: welcomeEmailBody }) { to }: WelcomeEmailBody,
  ): Promise<WelcomeEmailAnswer> {
    if (to !== undefined && to.toLowerCase() !== email.toLowerCase())
      throw new DomainError('foreign_account', 'The welcome e-mail can only be sent to your own address.');
    const isFirst = await this.welcomeMails.send({ id, email, displayName }).catch((cause: unknown) => {
      throw new DomainError('mail_failed', "The e-mail couldn't be queued.", { cause, retryAfterSeconds: 5 });
    });
    return {
      success: 'true',
      message: isFirst ? 'The welcome e-mail is on its way.' : 'The welcome e-mail was already sent.',
    };
  }
}
