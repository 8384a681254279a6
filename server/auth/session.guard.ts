import '@fastify/cookie';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.js';
import { signInNotice } from '#contract/sign-in.js';
import { type SessionAccount, type SessionClient, Sessions } from '#core/accounts/sessions/sessions.js';
import { AccountRequests } from '#core/platform/places/account-requests.js';
import { Config } from '#core/platform/config/config.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { normalAddress } from '#core/rules/network-addresses.js';
import { takePlace } from '../http/account-places.js';

const SECONDS_PER_DAY = 86_400;

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

type SignedInRequest = FastifyRequest & { sessionAccount?: SessionAccount };

/**
 * Name of the session cookie. Over https its prefix makes browsers refuse a cookie that another
 * host of the domain, or plain http, has set (RFC 6265bis, section 4.1.3.2).
 */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-pennytext_session' : 'pennytext_session';
}

/** The cookie that holds the session token, hidden from scripts and from other sites' forms. */
@Injectable()
export class SessionCookie {
  private readonly name: string;
  private readonly attributes: { httpOnly: true; sameSite: 'lax'; path: string; secure: boolean };
  private readonly maxAge: number;

  constructor({ http, signIn }: Config) {
    this.name = sessionCookieName(http.publicUrl);
    this.attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: http.publicUrl.startsWith('https:') };
    this.maxAge = signIn.sessionDays * SECONDS_PER_DAY;
  }

  read(request: FastifyRequest): string | undefined {
    return request.cookies[this.name];
  }

  set(reply: FastifyReply, token: string): void {
    reply.setCookie(this.name, token, { ...this.attributes, maxAge: this.maxAge });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.name, this.attributes);
  }
}

/**
 * The cookie by which an account recognizes a browser, so that its owner hears of sign-ins from
 * other browsers. It proves nothing and grants nothing; it stays after signing out.
 */
@Injectable()
export class DeviceCookie {
  private readonly name: string;
  private readonly attributes: { httpOnly: true; sameSite: 'lax'; path: string; secure: boolean; maxAge: number };

  constructor({ http }: Config) {
    const secure = http.publicUrl.startsWith('https:');
    this.name = `${secure ? '__Host-' : ''}pennytext_device`;
    const maxAge = limits.deviceDaysMax * SECONDS_PER_DAY;
    this.attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge };
  }

  /** The browser of a request; `token` is new when it has no cookie. */
  clientOf(request: FastifyRequest): SessionClient & { readonly token: string } {
    const token = request.cookies[this.name] || Sessions.newToken();
    return { device: deviceName(request.headers['user-agent']), address: normalAddress(request.ip), token };
  }

  set(reply: FastifyReply, token: string): void {
    reply.setCookie(this.name, token, this.attributes);
  }
}

const NOTICE_SECONDS = 60;

/**
 * Has the dashboard show that a first sign-in lacks its credits record. The page reads the cookie
 * and deletes it.
 */
export function setSignInNotice(reply: FastifyReply): void {
  const { cookie, path, value } = signInNotice;
  reply.setCookie(cookie, value, { path, sameSite: 'strict', maxAge: NOTICE_SECONDS });
}

/**
 * Allows a state-changing call only from our own pages: browsers send `Sec-Fetch-Site` (Fetch
 * Metadata), older ones `Origin`. Rejects a call with neither. Throws `cross_site`.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  private readonly origin: string;

  constructor({ http }: Config) {
    this.origin = new URL(http.publicUrl).origin;
  }

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (safeMethods.has(method)) return true;
    const site = headers['sec-fetch-site'];
    if (site === 'same-origin' || site === 'none' || headers.origin === this.origin) return true;
    throw crossSite();
  }
}

function crossSite(): DomainError {
  return new DomainError('cross_site', 'Only the pages of this site may make this call.');
}

/**
 * Guards routes of a signed-in user, who is available as `@SignedIn() account: SessionAccount`. The
 * module imports AccountsModule. The request waits for a place of its account. Throws `cross_site`,
 * `not_signed_in`, and the errors of {@link AccountRequests}.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  private readonly cookie: SessionCookie;
  private readonly sameOrigin: SameOriginGuard;

  constructor(
    private readonly sessions: Sessions,
    private readonly postgres: Postgres,
    private readonly places: AccountRequests,
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
    if (!account) throw new DomainError('not_signed_in', 'Your session has ended. Sign in again.');
    request.sessionAccount = account;
    await this.postgres.enter(account.accountId);
    const reply = http.getResponse<FastifyReply>();
    void reply.header('Cache-Control', 'no-store');
    await takePlace(this.places, account.accountId, request, reply);
    return true;
  }
}

/**
 * Guards actions that a stolen session must not do: the user has signed in within the last
 * `limits.freshSignInMinutes`. Runs after {@link SessionGuard}. Another site must not start these
 * actions either, not even by a link. Throws `cross_site`, `sign_in_again`.
 */
@Injectable()
export class FreshSignInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { sessionAccount, headers } = context.switchToHttp().getRequest<SignedInRequest>();
    if (['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))) throw crossSite();
    assertFresh(sessionAccount?.isFresh === true);
    return true;
  }
}

/** Throws `sign_in_again` unless the session's user has signed in a moment ago. */
export function assertFresh(isFresh: boolean): void {
  if (isFresh) return;
  throw new DomainError('sign_in_again', `Your last sign-in was more than ${limits.freshSignInMinutes} minutes ago.`);
}

/** The client's network address, for the audit log. */
export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext): string =>
  normalAddress(context.switchToHttp().getRequest<FastifyRequest>().ip),
);

/** The account of the session on a route behind {@link SessionGuard}. */
export const SignedIn = createParamDecorator((_data: unknown, context: ExecutionContext): SessionAccount => {
  const { sessionAccount } = context.switchToHttp().getRequest<SignedInRequest>();
  if (!sessionAccount) throw new Error('A route with @SignedIn() needs the SessionGuard');
  return sessionAccount;
});

/** Checks that an account id sent by the client is the session's own. Throws `foreign_account`. */
export function refuseForeignId(account: Pick<SessionAccount, 'accountId'>, claimed: string | null | undefined): void {
  if (claimed === undefined || claimed === null || claimed.toLowerCase() === account.accountId) return;
  throw new DomainError('foreign_account', 'The user id does not belong to this session.');
}

const BROWSER_UNKNOWN = 'Unknown browser';

/** Browsers by their mark in the `User-Agent`; imitators come first. */
const browsers: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (Mobile\/\w+ )?Safari\//, 'Safari'],
];

const systems: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Names the device of a `User-Agent` (RFC 9110, section 10.1.5) as its owner would: 'Firefox on
 * Windows'. The name is one of a fixed list, so a forged header shows nothing else.
 */
export function deviceName(userAgent: string | undefined): string {
  const nameIn = (list: typeof browsers) => list.find(([mark]) => mark.test(userAgent ?? ''))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  return system === undefined ? (browser ?? BROWSER_UNKNOWN) : `${browser ?? BROWSER_UNKNOWN} on ${system}`;
}
