import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import { webhookUrlBody, type WebhookUrlAnswer, type WebhookUrlBody } from '#contract/account.js';
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
import { SendAgain } from '#core/webhooks/deliveries/send-again.js';
import { SendTestEvent } from '#core/webhooks/deliveries/send-test-event.js';
import { ShowDeliveries } from '#core/webhooks/deliveries/show-deliveries.js';
import { ChangeEvents } from '#core/webhooks/endpoints/change-events.js';
import { RotateSecret } from '#core/webhooks/endpoints/rotate-secret.js';
import { ShowWebhook } from '#core/webhooks/endpoints/show-webhook.js';
import { SwitchWebhook } from '#core/webhooks/endpoints/switch-webhook.js';
import { WebhookUrl } from '#core/webhooks/endpoints/webhook-url.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { ActionLimits } from './action-limits.js';

/** /api/dashboard/webhook and /api/dashboard/webhook-url: settings, deliveries, replays and test events */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class WebhookController {
  constructor(
    private readonly webhookUrl: WebhookUrl,
    private readonly showWebhook: ShowWebhook,
    private readonly changeEvents: ChangeEvents,
    private readonly rotateSecret: RotateSecret,
    private readonly switchWebhook: SwitchWebhook,
    private readonly showDeliveries: ShowDeliveries,
    private readonly sendAgain: SendAgain,
    private readonly sendTestEvent: SendTestEvent,
    private readonly actionLimits: ActionLimits,
  ) {}

  @Get('webhook')
  async show(@SignedIn() { accountId }: SessionAccount): Promise<WebhookAnswer> {
    return this.showWebhook.run(accountId);
  }

  @Get('webhook-url')
  async showUrl(@SignedIn() { accountId }: SessionAccount): Promise<WebhookUrlAnswer> {
    return this.webhookUrl.get(accountId);
  }

  @Put('webhook-url')
  async changeUrl(
    @Body({ schema: webhookUrlBody }) { webhookUrl }: WebhookUrlBody,
    @SignedIn() { accountId }: SessionAccount,
  ): Promise<WebhookUrlAnswer> {
    return this.webhookUrl.set(accountId, webhookUrl);
  }

  @Put('webhook/events')
  async change(
    @Body({ schema: webhookEventsBody }) { events, lowCredits }: WebhookEventsBody,
    @SignedIn() { accountId }: SessionAccount,
  ): Promise<WebhookAnswer> {
    await this.changeEvents.run(accountId, events, lowCredits);
    return this.showWebhook.run(accountId);
  }

  @Post('webhook/secret/rotate')
  @HttpCode(200)
  async rotate(@SignedIn() { accountId }: SessionAccount): Promise<WebhookAnswer> {
    await this.rotateSecret.run(accountId);
    return this.showWebhook.run(accountId);
  }

  @Post('webhook/enable')
  @HttpCode(200)
  async enable(@SignedIn() { accountId }: SessionAccount): Promise<WebhookAnswer> {
    await this.switchWebhook.enable(accountId, 'account');
    return this.showWebhook.run(accountId);
  }

  @Get('webhook/deliveries')
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: webhookDeliveriesQuery }) query: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesAnswer> {
    return this.showDeliveries.page(accountId, query);
  }

  @Get('webhook/deliveries/:id')
  async one(@SignedIn() { accountId }: SessionAccount, @Param('id') id: string): Promise<WebhookDeliveryAnswer> {
    return this.showDeliveries.one(accountId, id);
  }

  @Post('webhook/deliveries/:id/resend')
  @HttpCode(202)
  async resend(@SignedIn() { accountId }: SessionAccount, @Param('id') id: string): Promise<WebhookDeliveryAnswer> {
    await this.actionLimits.takeWebhookAction(accountId);
    await this.sendAgain.one(accountId, id);
    return this.showDeliveries.one(accountId, id);
  }

  @Post('webhook/replay')
  @HttpCode(202)
  async replay(
    @Body({ schema: webhookReplayBody }) { from, to, which }: WebhookReplayBody,
    @SignedIn() { accountId }: SessionAccount,
  ): Promise<WebhookReplayAnswer> {
    await this.actionLimits.takeWebhookAction(accountId);
    return this.sendAgain.range(accountId, 'account', { from: new Date(from), to: new Date(to), which });
  }

  /** Answers with the new delivery, before its first attempt. */
  @Post('webhook/test')
  @HttpCode(202)
  async test(
    @Body({ schema: webhookTestBody }) { type }: WebhookTestBody,
    @SignedIn() { accountId }: SessionAccount,
  ): Promise<WebhookDeliveryAnswer> {
    await this.actionLimits.takeWebhookAction(accountId);
    const id = await this.sendTestEvent.run(accountId, type);
    return this.showDeliveries.one(accountId, id);
  }
}
