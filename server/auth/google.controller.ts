import '@fastify/cookie';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Injectable,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { type Profile, Strategy, type StrategyOptions } from 'passport-google-oauth20';
import { z } from 'zod';
import { returnPath, signInMessages } from '#contract/sign-in.js';
import { errorText } from '#contract/errors.js';
import { Config } from '#core/platform/config/config.js';
import { GoogleProfile, SignIn } from '#core/accounts/sign-in/sign-in.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { SignInLimits } from '../http/rate-limits.js';
import { DeviceCookie, SessionCookie } from './session.guard.js';

const NAME = 'pennytext_google';
const PATH = '/auth/google';
const STATE_BYTES = 16;
const SECONDS_MAX = 600;

type Stored = (error: Error | null, state?: string) => void;
type Verified = (error: Error | null, verifier: string | false, info?: { message: string }) => void;

/**
 * Keeps OAuth's `state`, the PKCE verifier and the page to return to in a signed cookie while the browser is at Google (RFC
 * 6749, section 10.12; RFC 7636). Implements the `store` of passport-oauth2, which counts parameters: all are needed.
 */
@Injectable()
export class GoogleState {
  private readonly replies = new WeakMap<FastifyRequest, FastifyReply>();
  private readonly loginPage: string;
  private readonly isSecure: boolean;

  constructor({ http }: Config) {
    this.loginPage = `${http.publicUrl}/login?`;
    this.isSecure = http.publicUrl.startsWith('https:');
  }

  /** Sets the reply that receives the cookie, because passport-oauth2 passes only the request. */
  expect(request: FastifyRequest, reply: FastifyReply): void {
    this.replies.set(request, reply);
  }

  store(request: FastifyRequest, verifier: string, _state: unknown, _meta: unknown, done: Stored): void {
    const state = randomBytes(STATE_BYTES).toString('base64url');
    const endsAt = Date.now() + SECONDS_MAX * 1_000;
    const next = Buffer.from(returnPath(this.nextIn(request)) ?? '').toString('base64url');
    this.replyTo(request).setCookie(NAME, `${endsAt}.${state}.${verifier}.${next}`, {
      ...this.attributes(),
      signed: true,
      maxAge: SECONDS_MAX,
    });
    done(null, state);
  }

  verify(request: FastifyRequest, state: unknown, _meta: unknown, done: Verified): void {
    const [endsAt = '', expected = '', verifier = ''] = cookieParts(request);
    this.replyTo(request).clearCookie(NAME, this.attributes());
    if (Number(endsAt) > Date.now() && typeof state === 'string' && isSame(state, expected))
      return done(null, verifier);
    done(null, false, { message: signInMessages.stateLost });
  }

  /** Returns the page to open after the sign-in, on both requests; undefined for the default. */
  returnPathOf(request: FastifyRequest): string | undefined {
    return returnPath(this.nextIn(request) ?? Buffer.from(cookieParts(request)[3] ?? '', 'base64url').toString());
  }

  /** The built login page adds `next` to its link once its script runs; a click before that is told by the Referer. */
  private nextIn(request: FastifyRequest): unknown {
    const { next } = request.query as { next?: unknown };
    const { referer = '' } = request.headers;
    if (next !== undefined || !referer.startsWith(this.loginPage)) return next;
    return new URLSearchParams(referer.slice(this.loginPage.length)).get('next') ?? undefined;
  }

  private attributes(): { httpOnly: true; sameSite: 'lax'; path: string; secure: boolean } {
    return { httpOnly: true, sameSite: 'lax', path: PATH, secure: this.isSecure };
  }

  private replyTo(request: FastifyRequest): FastifyReply {
    const reply = this.replies.get(request);
    if (!reply) throw new Error('The guard must call expect() before the strategy runs');
    return reply;
  }
}

function cookieParts(request: FastifyRequest): string[] {
  const cookie = request.unsignCookie(request.cookies[NAME] ?? '');
  return cookie.valid ? cookie.value.split('.') : [];
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && a.length > 0 && timingSafeEqual(a, b);
}

const GOOGLE_TIMEOUT_MS = 8_000;

/** The fields that we use of Google's userinfo (OpenID Connect Core, section 5.1), as the strategy maps them. */
const profileFields = z.object({
  id: z.string().min(1).max(255),
  emails: z.tuple([z.object({ value: z.email().max(254), verified: z.boolean().default(false) })]),
  displayName: z.string().default(''),
});

/** OAuth 2.0 with Google, or with the same paths below another base URL. */
export class GoogleStrategy extends PassportStrategy(Strategy, 'google') {
  constructor(
    { clientId, clientSecret, baseUrl }: NonNullable<Config['signIn']['google']>,
    publicUrl: string,
    state: GoogleState,
  ) {
    super({
      clientID: clientId,
      clientSecret,
      callbackURL: `${publicUrl}/auth/google/callback`,
      scope: ['openid', 'email', 'profile'],
      pkce: true,
      state: true,
      // The published types describe the store only without PKCE.
      store: state as unknown as NonNullable<StrategyOptions['store']>,
      ...(baseUrl && {
        authorizationURL: `${baseUrl}/o/oauth2/v2/auth`,
        tokenURL: `${baseUrl}/oauth2/v4/token`,
        userProfileURL: `${baseUrl}/oauth2/v3/userinfo`,
      }),
    });
  }

  validate(_accessToken: string, _refreshToken: string, profile: Profile): GoogleProfile {
    const parsed = profileFields.safeParse(profile);
    if (!parsed.success)
      throw new DomainError('sign_in_failed', signInMessages.incompleteProfile, { cause: parsed.error });
    const { id, emails, displayName } = parsed.data;
    return { subject: id, email: emails[0].value, emailVerified: emails[0].verified, displayName };
  }
}

/**
 * Runs the {@link GoogleStrategy}: redirects the browser to Google, and on its return sets `request.user` to the
 * GoogleProfile. Throws `sign_in_failed`, `too_many_attempts`.
 */
@Injectable()
class GoogleGuard extends AuthGuard('google') {
  constructor(
    private readonly config: Config,
    private readonly state: GoogleState,
    private readonly limits: SignInLimits,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.config.signIn.google) throw new DomainError('sign_in_failed', signInMessages.notConfigured);
    const http = context.switchToHttp();
    await this.limits.takeAddress(http.getRequest<FastifyRequest>().ip);
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
