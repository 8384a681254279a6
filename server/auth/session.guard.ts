import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { SessionCookie } from './session-cookie.js';

type SignedInRequest = FastifyRequest & { sessionAccount?: SessionAccount };

/**
 * For routes of a signed-in person: `@UseGuards(SessionGuard)`, and `@SignedIn() account: SessionAccount` as a parameter. Its
 * module imports AccountsModule. Calls that change something must come from our own pages. Throws `cross_site`, `not_signed_in`.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  private readonly cookie: SessionCookie;
  private readonly sameOrigin: SameOriginGuard;

  constructor(
    private readonly sessions: Sessions,
    config: Config,
  ) {
    this.cookie = new SessionCookie(config);
    this.sameOrigin = new SameOriginGuard(config);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    this.sameOrigin.canActivate(context);
    const http = context.switchToHttp();
    const request = http.getRequest<SignedInRequest>();
    const account = await this.sessions.find(this.cookie.read(request));
    if (!account) throw new DomainError('not_signed_in', 'There is no session, or it is over. Sign in again.');
    request.sessionAccount = account;
    // What a session shows belongs into no cache.
    void http.getResponse<FastifyReply>().header('Cache-Control', 'no-store');
    return true;
  }
}

/** The account of the session, in a route that {@link SessionGuard} stands before. */
export const SignedIn = createParamDecorator((_data: unknown, context: ExecutionContext): SessionAccount => {
  const { sessionAccount } = context.switchToHttp().getRequest<SignedInRequest>();
  if (!sessionAccount) throw new Error('A route with @SignedIn() stands behind the SessionGuard');
  return sessionAccount;
});

/** The account id always comes from the session: one that a client sends must be the same. Throws `foreign_account`. */
export function refuseForeignId(account: SessionAccount, ...claimed: (string | null | undefined)[]): void {
  if (claimed.every((id) => id === undefined || id === null || id.toLowerCase() === account.accountId)) return;
  throw new DomainError('foreign_account', 'The user id that was sent is not the one of this session.');
}
