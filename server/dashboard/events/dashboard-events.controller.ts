import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dashboardEventsPath } from '#contract/dashboard-events.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { SessionCookie } from '../../auth/session-cookie.js';
import { SessionGuard, SignedIn } from '../../auth/session.guard.js';
import { LiveUpdates } from './live-updates.js';

/** GET /api/dashboard/events: what changes in the account, as server-sent events, for as long as the page is open. */
@Controller(dashboardEventsPath)
@UseGuards(SessionGuard)
export class DashboardEventsController {
  constructor(
    private readonly liveUpdates: LiveUpdates,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  stream(@SignedIn() { accountId }: SessionAccount, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (request.method === 'HEAD') return void reply.type('text/event-stream; charset=utf-8').send();
    const token = this.cookie.read(request);
    if (token === undefined) throw new Error('Whoever is signed in has a token');
    this.liveUpdates.open(accountId, token, reply.raw);
    reply.hijack();
  }
}
