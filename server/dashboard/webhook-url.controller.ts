import { Body, Controller, Get, Put, UseGuards } from '@nestjs/common';
import { webhookUrlBody, type WebhookUrlAnswer, type WebhookUrlBody } from '#contract/dashboard-account.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { WebhookUrl } from '#core/webhooks/endpoints/webhook-url.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** GET and PUT /api/dashboard/webhook-url. */
@Controller('api/dashboard/webhook-url')
@UseGuards(SessionGuard)
export class WebhookUrlController {
  constructor(private readonly webhookUrl: WebhookUrl) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<WebhookUrlAnswer> {
    return this.webhookUrl.get(accountId);
  }

  @Put()
  async change(
    @Body(new ContractPipe(webhookUrlBody)) body: WebhookUrlBody,
    @SignedIn() { accountId }: SessionAccount,
  ): Promise<WebhookUrlAnswer> {
    return this.webhookUrl.set(accountId, body.webhookUrl);
  }
}
