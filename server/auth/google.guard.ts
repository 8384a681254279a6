import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthGuard } from '@nestjs/passport';
import { signInMessages } from '#contract/sign-in.js';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { GoogleState } from './google-state.js';
import { GOOGLE_TIMEOUT_MS } from './google-strategy.js';

/**
 * Runs the {@link GoogleStrategy}: redirects the browser to Google, and on its return sets
 * `request.user` to the GoogleProfile. Throws `sign_in_failed`.
 */
@Injectable()
export class GoogleGuard extends AuthGuard('google') {
  constructor(
    private readonly config: Config,
    private readonly state: GoogleState,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.config.signIn.google) throw new DomainError('sign_in_failed', signInMessages.notConfigured);
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      const giveUp = () => {
        // After a redirect passport never settles, and the browser has its answer.
        if (!reply.sent) reject(unreachable(new Error('Google did not answer in time')));
      };
      timer = setTimeout(giveUp, GOOGLE_TIMEOUT_MS).unref();
    });
    try {
      return Boolean(await Promise.race([super.canActivate(context), timeout]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Passport writes to Node's response; only Fastify's reply carries our cookies. */
  getResponse(context: ExecutionContext): PassportResponse {
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    this.state.expect(http.getRequest<FastifyRequest>(), reply);
    return new PassportResponse(reply);
  }

  override handleRequest<User>(error: unknown, profile: User | false, info: unknown): User {
    if (profile) return profile;
    if (error instanceof DomainError) throw error;
    if (error) throw unreachable(error);
    throw new DomainError('sign_in_failed', stateMessage(info) ?? signInMessages.notAllowed);
  }
}

/** The part of Node's response that passport's redirect uses. */
class PassportResponse {
  statusCode = 302;

  constructor(private readonly reply: FastifyReply) {}

  setHeader(name: string, value: string): void {
    void this.reply.header(name, value);
  }

  end(): void {
    void this.reply.status(this.statusCode).send();
  }
}

function unreachable(cause: unknown): DomainError {
  return new DomainError('sign_in_failed', signInMessages.unreachable, { cause });
}

/** Shows only our own text: anyone can write into the URL of the callback. */
function stateMessage(info: unknown): string | undefined {
  return typeof info === 'object' && info !== null && 'message' in info && info.message === signInMessages.stateLost
    ? signInMessages.stateLost
    : undefined;
}
