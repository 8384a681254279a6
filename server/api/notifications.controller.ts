import { Controller, Get, UseGuards } from '@nestjs/common';
import { notifications as example } from '#contract/examples.js';
import { type NotificationsAnswer, notificationsQuery } from '#contract/notifications.js';
import { Notifications } from '#core/notifications/notifications.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiQuery } from './api-key.guard.js';

/** GET /api/notifications. A test key gets an example, not the account's state. */
@Controller('api/notifications')
@UseGuards(ApiKeyGuard)
export class NotificationsController {
  constructor(private readonly notifications: Notifications) {}

  @Get()
  @ApiQuery({ schema: notificationsQuery, scope: 'read' })
  async list(@Caller() { key, accountId }: ApiAccount): Promise<NotificationsAnswer> {
    if (key.test) return { ...example, test: true };
    return { success: 'true', notifications: await this.notifications.list(accountId) };
  }
}
