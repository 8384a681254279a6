import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import { type WebhookUrlAnswer, webhookUrlBody, type WebhookUrlBody } from '#contract/account.js';
import {
  webhookDeliveriesQuery,
  webhookEventsBody,
  webhookReplayBody,
  webhookTestBody,
  type WebhookAnswer,
  type WebhookDeliveriesAnswer,
  type WebhookDeliveriesQuery,
  type WebhookDeliveryAnswer,
  type WebhookEventsBody,
  type WebhookReplayAnswer,
  type WebhookReplayBody,
  type WebhookTestBody,
} from '#contract/webhooks.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { WebhookDeliveries } from '#core/webhooks/webhook-deliveries.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { ActionLimits } from '../http/rate-limits.js';

/**
 * /api/dashboard/webhook and /api/dashboard/webhook-url: settings, deliveries, replays and test
 * events
 */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class WebhookController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly deliveries: WebhookDeliveries,
    private readonly actionLimits: ActionLimits,
  ) {}

  @Get('webhook')
  async show(@SignedIn() { accountId }: SessionAccount): Promise<WebhookAnswer> {
    return this.endpoints.show(accountId);
  }

  @Get('webhook-url')
  async showUrl(@SignedIn() { accountId }: SessionAccount): Promise<WebhookUrlAnswer> {
    return this.endpoints.showUrl(accountId);
  }

  @Put('webhook-url')
  async changeUrl(
    @Body({ schema: webhookUrlBody }) { webhookUrl }: WebhookUrlBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<WebhookUrlAnswer> {
    return this.endpoints.setUrl(accountId, webhookUrl, 'account', address);
  }

  @Put('webhook/events')
  async change(
    @Body({ schema: webhookEventsBody }) { events, lowCredits }: WebhookEventsBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<WebhookAnswer> {
    await this.endpoints.setEvents(accountId, events, lowCredits, address);
    return this.endpoints.show(accountId);
  }

  @Post('webhook/secret/rotate')
  @HttpCode(200)
  async rotate(@SignedIn() { accountId }: SessionAccount, @ClientAddress() address: string): Promise<WebhookAnswer> {
    await this.endpoints.rotateSecret(accountId, address);
    return this.endpoints.show(accountId);
  }

  @Post('webhook/enable')
  @HttpCode(200)
  async enable(@SignedIn() { accountId }: SessionAccount, @ClientAddress() address: string): Promise<WebhookAnswer> {
    await this.endpoints.enable(accountId, 'account', address);
    return this.endpoints.show(accountId);
  }

  @Get('webhook/deliveries')
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: webhookDeliveriesQuery }) query: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesAnswer> {
    return this.deliveries.list(accountId, query);
  }

  @Get('webhook/deliveries/:id')
  async one(@SignedIn() { accountId }: SessionAccount, @Param('id') id: string): Promise<WebhookDeliveryAnswer> {
    return this.deliveries.show(accountId, id);
  }

  @Post('webhook/deliveries/:id/resend')
  @HttpCode(202)
  async resend(
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
    @Param('id') id: string,
  ): Promise<WebhookDeliveryAnswer> {
    await this.actionLimits.takeWebhookAction(accountId);
    await this.deliveries.resend(accountId, id, address);
    return this.deliveries.show(accountId, id);
  }

  @Post('webhook/replay')
  @HttpCode(202)
  async replay(
    @Body({ schema: webhookReplayBody }) { from, to, which }: WebhookReplayBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<WebhookReplayAnswer> {
    await this.actionLimits.takeWebhookAction(accountId);
    return this.deliveries.replay(accountId, 'account', { from: new Date(from), to: new Date(to), which }, address);
  }

  /** Answers with the new delivery, before its first attempt. */
  @Post('webhook/test')
  @HttpCode(202)
  async test(
    @Body({ schema: webhookTestBody }) { type }: WebhookTestBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<WebhookDeliveryAnswer> {
    await this.actionLimits.takeWebhookAction(accountId);
    const id = await this.deliveries.sendTest(accountId, type, address);
    return this.deliveries.show(accountId, id);
  }
}
