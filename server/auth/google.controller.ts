import {
  Catch,
  Controller,
  Get,
  Req,
  Res,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText } from '#contract/errors.js';
import { signInMessages } from '#contract/sign-in.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { SignIn, type GoogleProfile } from '#core/accounts/sign-in/sign-in.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { GoogleGuard, GoogleState } from './google.strategy.js';
import { DeviceCookie, SessionCookie } from './session.guard.js';

const shownCodes: readonly string[] = ['sign_in_failed', 'too_many_attempts', 'user_record_failed'];

/** Redirects a failed sign-in to the login page with the reason in `error`, and keeps the page to return to. */
@Catch()
export class SignInFailureFilter implements ExceptionFilter {
  constructor(
    private readonly state: GoogleState,
    private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const failure =
      error instanceof DomainError && shownCodes.includes(error.code)
        ? error
        : new DomainError('sign_in_failed', signInMessages.failed, { cause: error });
    if (failure.cause) this.logger.error({ code: failure.code, err: failure.cause }, 'sign-in failed');
    else this.logger.info({ code: failure.code, reason: failure.detail }, 'sign-in refused');
    const http = host.switchToHttp();
    const next = this.state.returnPathOf(http.getRequest<FastifyRequest>());
    const query = new URLSearchParams({ error: errorText(failure.code, failure.detail), ...(next && { next }) });
    http.getResponse<FastifyReply>().redirect(`/login?${query.toString()}`, 302);
  }
}

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

  /** The guard redirects; a profile here means that the callback's parameters came to the wrong path. */
  @Get()
  begin(): never {
    throw new DomainError('sign_in_failed', signInMessages.wrongAddress);
  }

  @Get('callback')
  async callback(@Req() request: FastifyRequest & { user: GoogleProfile }, @Res() reply: FastifyReply): Promise<void> {
    const client = this.device.clientOf(request);
    const { accountId, notice } = await this.signIn.withGoogle(request.user, client.address);
    const earlierToken = this.cookie.read(request);
    this.device.set(reply, client.token);
    this.cookie.set(reply, await this.sessions.start(accountId, { method: 'google', earlierToken, client }));
    const error = notice && new URLSearchParams({ error: errorText(notice.code, notice.detail) });
    reply.redirect(error ? `/dashboard?${error.toString()}` : (this.state.returnPathOf(request) ?? '/dashboard'), 302);
  }
}
