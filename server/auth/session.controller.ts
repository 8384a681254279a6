import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionAnswer } from '#contract/account.js';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { normalAddress } from '#core/rules/network-addresses.js';
import { SameOriginGuard, SessionCookie, SessionGuard, SignedIn } from './session.guard.js';

/** GET /auth/me and POST /auth/logout */
@Controller('auth')
export class SessionController {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('me')
  @UseGuards(SessionGuard)
  me(@SignedIn() { accountId, email, displayName }: SessionAccount): SessionAnswer {
    return { id: accountId, email, displayName };
  }

  /** Succeeds without a session too. */
  @Post('logout')
  @HttpCode(204)
  @UseGuards(SameOriginGuard)
  async logout(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.sessions.end(this.cookie.read(request), normalAddress(request.ip));
    this.cookie.clear(reply);
  }
}
