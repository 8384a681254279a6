import { Controller, Get, Header, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ReaderKeyAnswer } from '#contract/reader-key.js';
import { ShowKeys } from '#core/accounts/keys/show-keys.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { SessionCookie } from '../auth/session-cookie.js';

/**
 * GET /api/dashboard/reader-key: the documentation asks it, which is everybody's. So that nobody is signed in is an answer here and
 * no refusal, which browsers would show as an error of the page.
 */
@Controller('api/dashboard/reader-key')
export class ReaderKeyController {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly showKeys: ShowKeys,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async show(@Req() request: FastifyRequest): Promise<ReaderKeyAnswer> {
    const account = await this.sessions.find(this.cookie.read(request));
    if (!account) return { testKey: null };
    const { apiKey } = await this.showKeys.run(account.accountId);
    return { testKey: `${apiKey}_test` };
  }
}
