import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInErrorCookie, signInMessages } from '#contract/sign-in.js';
import { errorText } from '#contract/errors.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { GoogleState } from './google-state.js';

const shownCodes: readonly string[] = ['sign_in_failed', 'too_many_attempts', 'user_record_failed'];

/**
 * Redirects a failed sign-in to the login page with the reason in `error`, and keeps the page to
 * return to.
 */
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
    const text = errorText(failure.code, failure.detail);
    const query = new URLSearchParams({ error: text, ...(next && { next }) });
    const { name, path, maxAgeSeconds: maxAge } = signInErrorCookie;
    const reply = http.getResponse<FastifyReply>();
    // The page reads and removes it, so that neither a reload nor a link of another site shows the
    // text.
    reply.setCookie(name, text, { path, maxAge, sameSite: 'lax', secure: this.state.isSecure });
    reply.redirect(`/login?${query.toString()}`, 302);
  }
}
