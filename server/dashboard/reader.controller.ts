import { Controller, Get, Header, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ReaderBalanceAnswer, ReaderKeyAnswer } from '#contract/account.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { AccountRequests } from '#core/platform/places/account-requests.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { type SessionAccount, Sessions } from '#core/accounts/sessions/sessions.js';
import { Credits } from '#core/credits/credits.js';
import { SessionCookie } from '../auth/session.guard.js';

/**
 * Data of a signed-in reader for public pages. Without a session the answer is 200 with null,
 * because browsers report a 401 as an error of the page.
 */
@Controller('api/dashboard')
export class ReaderController {
  constructor(
    private readonly postgres: Postgres,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly namedKeys: NamedKeys,
    private readonly credits: Credits,
    private readonly places: AccountRequests,
  ) {}

  /** The test key for the samples in the documentation. */
  @Get('reader-key')
  @Header('Cache-Control', 'no-store')
  async key(@Req() request: FastifyRequest): Promise<ReaderKeyAnswer> {
    return { testKey: await this.ofReader(request, ({ accountId }) => this.namedKeys.samplesKey(accountId)) };
  }

  /** The balance for the header, in credits. */
  @Get('reader-balance')
  @Header('Cache-Control', 'no-store')
  async balance(@Req() request: FastifyRequest): Promise<ReaderBalanceAnswer> {
    const balance = await this.ofReader(request, ({ accountId }) => this.credits.balanceOf(accountId));
    return { balance: balance?.balance ?? null };
  }

  private async ofReader<T>(request: FastifyRequest, read: (account: SessionAccount) => Promise<T>): Promise<T | null> {
    const account = await this.sessions.find(this.cookie.read(request));
    if (!account) return null;
    // No guard takes a place for a reader who may be signed out.
    const leave = await this.places.enter(account.accountId, { isChange: false });
    try {
      return await this.postgres.ofAccount(account.accountId, () => read(account));
    } finally {
      leave();
    }
  }
}
