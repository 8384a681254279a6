import '@fastify/cookie';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.js';
import { Config } from '#core/platform/config/config.js';

const NAME = 'pennytext_session';
const SECONDS_PER_DAY = 86_400;

/** The cookie that carries a session's token, out of reach of scripts and of other sites' forms. */
@Injectable()
export class SessionCookie {
  private readonly attributes: { httpOnly: true; sameSite: 'lax'; path: string; secure: boolean };

  constructor({ http }: Config) {
    this.attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: http.publicUrl.startsWith('https:') };
  }

  read(request: FastifyRequest): string | undefined {
    return request.cookies[NAME];
  }

  set(reply: FastifyReply, token: string): void {
    reply.setCookie(NAME, token, { ...this.attributes, maxAge: limits.sessionDaysMax * SECONDS_PER_DAY });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(NAME, this.attributes);
  }
}
