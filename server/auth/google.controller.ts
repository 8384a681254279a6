import '@fastify/cookie';
import { Controller, Get, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInMessages } from '#contract/sign-in.js';
import { GoogleProfile, SignIn } from '#core/accounts/sign-in/sign-in.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { DeviceCookie, SessionCookie, setSignInNotice } from './session.guard.js';
import { GoogleState } from './google-state.js';
import { GoogleGuard } from './google.guard.js';
import { SignInFailureFilter } from './sign-in-failure.filter.js';

/** GET /auth/google redirects to Google, which redirects to GET /auth/google/callback. */
@Controller('auth/google')
@UseGuards(GoogleGuard)
@UseFilters(SignInFailureFilter)
export class GoogleController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly device: DeviceCookie,
    private readonly state: GoogleState,
  ) {}

  /**
   * The guard redirects; a profile here means that the callback's parameters came to the wrong
   * path.
   */
  @Get()
  begin(): never {
    throw new DomainError('sign_in_failed', signInMessages.wrongAddress);
  }

  @Get('callback')
  async callback(@Req() request: FastifyRequest & { user: GoogleProfile }, @Res() reply: FastifyReply): Promise<void> {
    const client = this.device.clientOf(request);
    const { accountId, lacksCredits } = await this.signIn.withGoogle(request.user, client.address);
    const earlierToken = this.cookie.read(request);
    this.device.set(reply, client.token);
    this.cookie.set(reply, await this.sessions.start(accountId, { method: 'google', earlierToken, client }));
    if (lacksCredits) setSignInNotice(reply);
    reply.redirect(this.state.returnPathOf(request) ?? '/dashboard', 302);
  }
}
