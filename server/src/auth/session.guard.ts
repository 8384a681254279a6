import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/errors/domain-error.js';

type SignedInRequest = FastifyRequest & { sessionAccount?: SessionAccount };

/** For routes of a signed-in person. Its module imports AccountsModule. Throws `not_signed_in`. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly sessions: Sessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const account = await this.sessions.find(request.headers.cookie);
    if (!account) throw new DomainError('not_signed_in', 'There is no session, or it is over. Sign in again.');
    request.sessionAccount = account;
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
