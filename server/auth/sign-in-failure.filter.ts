import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText } from '#contract/errors.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { GoogleState } from './google-state.js';

const shown: readonly string[] = ['sign_in_failed', 'user_record_failed'];

/** A sign-in that went through the browser's address bar ends on the login page, with the reason in `error`: the next try leads where this one would have. */
@Catch()
export class SignInFailureFilter implements ExceptionFilter {
  constructor(
    private readonly state: GoogleState,
    private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const failure =
      error instanceof DomainError && shown.includes(error.code)
        ? error
        : new DomainError('sign_in_failed', 'Something went wrong on our side. Please try again.', { cause: error });
    if (failure.cause) this.logger.error({ code: failure.code, err: failure.cause }, 'sign-in failed');
    else this.logger.info({ code: failure.code, reason: failure.detail }, 'sign-in refused');
    const http = host.switchToHttp();
    const next = this.state.returnPathOf(http.getRequest<FastifyRequest>());
    const query = new URLSearchParams({ error: errorText(failure.code, failure.detail), ...(next && { next }) });
    http.getResponse<FastifyReply>().redirect(`/login?${query.toString()}`, 302);
  }
}
