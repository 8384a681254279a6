import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
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
import { ContractPipe } from '../api/contract.pipe.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { WebhookActions } from './webhook-actions.js';

/** /api/dashboard/webhook: what is set, what was sent, and sending again. The URL itself is at /api/dashboard/webhook-url. */
@Controller('api/dashboard/webhook')
@UseGuards(SessionGuard)
export class WebhookController {
  constructor(
    private readonly showWebhook: ShowWebhook,
    private readonly changeEvents: ChangeEvents,
    private readonly rotateSecret: RotateSecret,
    private readonly switchWebhook: SwitchWebhook,
    private readonly showDeliveries: ShowDeliveries,
    private readonly sendAgain: SendAgain,
    private readonly sendTestEvent: SendTestEvent,
    private readonly actions: WebhookActions,
  ) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<WebhookAnswer> {
    return this.showWebhook.run(accountId);
  }

  @Put('events')
  async change(
    @Body(new ContractPipe(webhookEventsBody)) { events, lowCredits }: WebhookEventsBody,
    @SignedIn() { accountId }: SessionAccount,
  ): Promise<WebhookAnswer> {
    await this.changeEvents.run(accountId, events, lowCredits);
    return this.showWebhook.run(accountId);
  }

  @Post('secret/rotate')
  @HttpCode(200)
  async rotate(@SignedIn() { accountId }: SessionAccount): Promise<WebhookAnswer> {
    await this.rotateSecret.run(accountId);
    return this.showWebhook.run(accountId);
  }

  @Post('enable')
  @HttpCode(200)
  async enable(@SignedIn() { accountId }: SessionAccount): Promise<WebhookAnswer> {
    await this.switchWebhook.enable(accountId, 'account');
    return this.showWebhook.run(accountId);
  }

  @Get('deliveries')
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query(new ContractPipe(webhookDeliveriesQuery)) query: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesAnswer> {
    return this.showDeliveries.page(accountId, query);
  }

  @Get('deliveries/:id')
  async one(@SignedIn() { accountId }: SessionAccount, @Param('id') id: string): Promise<WebhookDeliveryAnswer> {
    return this.showDeliveries.one(accountId, id);
  }

  @Post('deliveries/:id/resend')
  @HttpCode(202)
  async resend(@SignedIn() { accountId }: SessionAccount, @Param('id') id: string): Promise<WebhookDeliveryAnswer> {
    await this.actions.count(accountId);
    await this.sendAgain.one(accountId, id);
    return this.showDeliveries.one(accountId, id);
  }

  @Post('replay')
  @HttpCode(202)
  async replay(
    @Body(new ContractPipe(webhookReplayBody)) { from, to, which }: WebhookReplayBody,
    @SignedIn() { accountId }: SessionAccount,
  ): Promise<WebhookReplayAnswer> {
    await this.actions.count(accountId);
    return this.sendAgain.range(accountId, 'account', { from: new Date(from), to: new Date(to), which });
  }

  /** The answer names the delivery; its attempt shows there a moment later. */
  @Post('test')
  @HttpCode(202)
  async test(
    @Body(new ContractPipe(webhookTestBody)) { type }: WebhookTestBody,
    @SignedIn() { accountId }: SessionAccount,
  ): Promise<WebhookDeliveryAnswer> {
    await this.actions.count(accountId);
    const id = await this.sendTestEvent.run(accountId, type);
    return this.showDeliveries.one(accountId, id);
  }
}
