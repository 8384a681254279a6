import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionAnswer } from '#contract/session.js';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { SessionCookie } from './session-cookie.js';
import { SessionGuard, SignedIn } from './session.guard.js';

/** GET /auth/me: who is signed in. POST /auth/logout: nobody any more. */
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

  /** Also without a session: whoever wants out is out. */
  @Post('logout')
  @HttpCode(204)
  @UseGuards(SameOriginGuard)
  async logout(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.sessions.end(this.cookie.read(request));
    this.cookie.clear(reply);
  }
}
