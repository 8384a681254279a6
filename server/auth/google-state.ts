import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { returnPath, signInMessages } from '#contract/sign-in.js';
import { Config } from '#core/platform/config/config.js';

const NAME = 'pennytext_google';

const PATH = '/auth/google';

const STATE_BYTES = 16;

const SECONDS_MAX = 600;

type Stored = (error: Error | null, state?: string) => void;

type Verified = (error: Error | null, verifier: string | false, info?: { message: string }) => void;

/**
 * Keeps OAuth's `state`, the PKCE verifier and the page to return to in a signed cookie while the
 * browser is at Google (RFC 6749, section 10.12; RFC 7636). Implements the `store` of
 * passport-oauth2, which counts parameters: all are needed.
 */
@Injectable()
export class GoogleState {
  private readonly replies = new WeakMap<FastifyRequest, FastifyReply>();
  private readonly loginPage: string;
  readonly isSecure: boolean;

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

  /**
   * The built login page adds `next` to its link once its script runs; an earlier click has it in
   * the Referer.
   */
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
