import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { returnPath, withReturnPath } from '#contract/return-path.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { SessionCookie } from '../auth/session.guard.js';
import { BuiltPages } from './built-pages.js';

/** Pages whose address depends on who asks: the signed-in go on to the dashboard, all others to the login and back. */
@Controller()
export class EntranceController {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly pages: BuiltPages,
    private readonly logger: Logger,
  ) {}

  @Get('login')
  async login(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query('next') next: unknown): Promise<void> {
    if ((await this.isSignedIn(request)) === true) return redirect(reply, returnPath(next) ?? '/dashboard');
    this.pages.send('/login', request, reply);
  }

  @Get(['dashboard', 'dashboard/*'])
  async dashboard(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // Who comes back from a checkout, or by a link in a mail, may find that the session has ended meanwhile.
    if ((await this.isSignedIn(request)) === false)
      return redirect(reply, withReturnPath('/login', returnPath(request.url)));
    const path = new URL(request.url, 'http://any').pathname;
    this.pages.send(path.replace(/(?<=.)\/$/, ''), request, reply);
  }

  /** Undefined when nobody can tell: then the page that was asked for comes, and says what does not work. */
  private async isSignedIn(request: FastifyRequest): Promise<boolean | undefined> {
    try {
      return (await this.sessions.find(this.cookie.read(request))) !== undefined;
    } catch (error) {
      this.logger.error({ err: error }, 'session not looked up');
      return undefined;
    }
  }
}

/** Where it leads is true of now alone. */
function redirect(reply: FastifyReply, path: string): void {
  void reply.header('Cache-Control', 'no-store').redirect(path, 302);
}
