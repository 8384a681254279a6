import { Controller, Get, UseGuards } from '@nestjs/common';
import type { NotificationsAnswer } from '#contract/notifications.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Notifications } from '#core/notifications/notifications.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** GET /api/dashboard/notifications */
@Controller('api/dashboard/notifications')
@UseGuards(SessionGuard)
export class DashboardNotificationsController {
  constructor(private readonly notifications: Notifications) {}

  @Get()
  async list(@SignedIn() { accountId }: SessionAccount): Promise<NotificationsAnswer> {
    return { success: 'true', notifications: await this.notifications.list(accountId) };
  }
}
