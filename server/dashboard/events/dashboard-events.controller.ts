import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dashboardEventsPath } from '#contract/dashboard.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { SessionCookie, SessionGuard, SignedIn } from '../../auth/session.guard.js';
import { takeResponse } from '../../http/event-stream.js';
import { LiveUpdates } from './live-updates.js';

/** GET /api/dashboard/events: changes in the account as server-sent events, while the page is open. */
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
    this.liveUpdates.open(accountId, this.cookie.read(request) ?? '', takeResponse(reply));
    reply.hijack();
  }
}
