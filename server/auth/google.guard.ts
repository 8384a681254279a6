import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { GoogleState, STATE_MESSAGE } from './google-state.js';

const GOOGLE_TIMEOUT_MS = 8_000;

/**
 * Both halves of a sign-in with Google: sends the browser there, and takes it back as `request.user`, a GoogleProfile. Throws
 * `sign_in_failed`.
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
    if (!this.config.signIn.google) throw new DomainError('sign_in_failed', 'Google sign-in is not set up here.');
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      const giveUp = () => {
        // A browser that was sent to Google has its answer: passport never comes back from that.
        if (!reply.sent) reject(unreachable(new Error('Google did not answer in time')));
      };
      timer = setTimeout(giveUp, GOOGLE_TIMEOUT_MS).unref();
    });
    try {
      return Boolean(await Promise.race([super.canActivate(context), tooLate]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Passport writes to Node's own response; Fastify's answer carries our cookies. */
  getResponse(context: ExecutionContext): PassportResponse {
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    this.state.expect(http.getRequest<FastifyRequest>(), reply);
    return new PassportResponse(reply);
  }

  override handleRequest<Profile>(error: unknown, profile: Profile | false, info: unknown): Profile {
    if (profile) return profile;
    if (error instanceof DomainError) throw error;
    if (error) throw unreachable(error);
    throw new DomainError('sign_in_failed', messageIn(info) ?? 'You did not let Google tell us who you are.');
  }
}

/** What passport's redirect needs of a response. */
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
  return new DomainError('sign_in_failed', 'Google could not be asked who you are. Please try again.', { cause });
}

/** Our own words alone are shown: what stands in the address of the callback could be anybody's. */
function messageIn(info: unknown): string | undefined {
  return typeof info === 'object' && info !== null && 'message' in info && info.message === STATE_MESSAGE
    ? STATE_MESSAGE
    : undefined;
}
