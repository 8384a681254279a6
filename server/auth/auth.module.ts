import { Controller, Get, HttpCode, Module, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionAnswer } from '#contract/account.js';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Config } from '#core/platform/config/config.js';
import { normalAddress } from '#core/rules/network-addresses.js';
import { CustomSignInController, PasswordController } from './custom-sign-in.controller.js';
import { GoogleController } from './google.controller.js';
import { DeviceCookie, SameOriginGuard, SessionCookie, SessionGuard, SignedIn } from './session.guard.js';
import { SignInLimits } from '../http/rate-limits.js';
import { GoogleState } from './google-state.js';
import { GoogleStrategy } from './google-strategy.js';

/** GET /auth/me and POST /auth/logout */
@Controller('auth')
class SessionController {
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

/** Sign-up, sign-in and sign-out. */
@Module({
  imports: [AccountsModule],
  controllers: [SessionController, GoogleController, CustomSignInController, PasswordController],
  providers: [
    SessionCookie,
    DeviceCookie,
    SignInLimits,
    GoogleState,
    {
      provide: GoogleStrategy,
      inject: [Config, GoogleState],
      useFactory: ({ signIn: { google }, http }: Config, state: GoogleState) =>
        google && new GoogleStrategy(google, http.publicUrl, state),
    },
  ],
})
export class AuthModule {}
