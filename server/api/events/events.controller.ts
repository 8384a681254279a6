import { Body, Controller, Get, Headers, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { eventsQuery, triggerEventBody, type TriggeredEventAnswer, type TriggerEventBody } from '#contract/webhooks.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { newMessageId, publicWebhookId } from '#core/rules/ids.js';
import { WebhookDeliveries } from '#core/webhooks/webhook-deliveries.js';
import { takeResponse } from '../../http/event-stream.js';
import { ActionLimits } from '../../http/rate-limits.js';
import { Caller, type ApiAccount } from '../api-caller.js';
import { ApiKeyGuard, ApiQuery } from '../api-key.guard.js';
import { EventSubscriptions } from './event-subscriptions.js';

/**
 * GET /api/events: the account's events as server-sent events. POST /api/events: creates a test
 * event.
 */
@Controller('api/events')
@UseGuards(ApiKeyGuard)
export class EventsController {
  constructor(
    private readonly subscriptions: EventSubscriptions,
    private readonly deliveries: WebhookDeliveries,
    private readonly actionLimits: ActionLimits,
  ) {}

  @Get()
  @ApiQuery({ schema: eventsQuery, scope: 'read' })
  async stream(
    @Caller() { accountId, key, address }: ApiAccount,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = numberOf(lastEventId);
    if (request.method === 'HEAD') return void reply.type('text/event-stream; charset=utf-8').send();
    await this.subscriptions.subscribe({ accountId, key, address }, after, takeResponse(reply));
    reply.hijack();
  }

  @Post()
  @HttpCode(200)
  @ApiQuery({ schema: triggerEventBody, scope: 'webhooks' })
  async trigger(
    @Caller() { accountId, key, address }: ApiAccount,
    @Body({ schema: triggerEventBody }) { type }: TriggerEventBody,
  ): Promise<TriggeredEventAnswer> {
    if (key.test) return { success: 'true', event_id: publicWebhookId(newMessageId()), test: true };
    await this.actionLimits.takeWebhookAction(accountId);
    return { success: 'true', event_id: await this.deliveries.sendTest(accountId, type, address) };
  }
}

/**
 * Undefined without a header, and for the first connection of a client that sends it empty. Throws
 * `invalid_request`.
 */
function numberOf(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  throw new DomainError('invalid_request', 'Last-Event-ID: is not the id of an event of this account.');
}
