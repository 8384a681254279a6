import { Controller, Get, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText } from '#contract/errors.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { SignInWithGoogle, type GoogleProfile } from '#core/accounts/sign-in/sign-in-with-google.js';
import { GoogleGuard } from './google.guard.js';
import { GoogleState } from './google-state.js';
import { SessionCookie } from './session-cookie.js';
import { SignInFailureFilter } from './sign-in-failure.filter.js';

/** GET /auth/google → Google → GET /auth/google/callback → the view that was wanted, or /login with what went wrong. */
@Controller('auth/google')
@UseGuards(GoogleGuard)
@UseFilters(SignInFailureFilter)
export class GoogleController {
  constructor(
    private readonly signIn: SignInWithGoogle,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly state: GoogleState,
  ) {}

  /** The guard answers. */
  @Get()
  begin(): never {
    throw new Error('Who comes here without Google’s answer has been sent there');
  }

  @Get('callback')
  async callback(@Req() request: FastifyRequest & { user: GoogleProfile }, @Res() reply: FastifyReply): Promise<void> {
    const { accountId, notice } = await this.signIn.run(request.user);
    const earlierToken = this.cookie.read(request);
    this.cookie.set(reply, await this.sessions.start(accountId, { method: 'google', earlierToken }));
    const told = notice && new URLSearchParams({ error: errorText(notice.code, notice.detail) });
    reply.redirect(told ? `/dashboard?${told.toString()}` : (this.state.returnPathOf(request) ?? '/dashboard'), 302);
  }
}
