import { Body, Controller, Get, Put, UseGuards } from '@nestjs/common';
import { type AlertsAnswer, alertsBody, type AlertsBody } from '#contract/billing.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { CreditAlerts } from '#core/webhooks/credit-alerts.js';
import { ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';

/** /api/dashboard/alerts */
@Controller('api/dashboard/alerts')
@UseGuards(SessionGuard)
export class AlertsController {
  constructor(private readonly creditAlerts: CreditAlerts) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<AlertsAnswer> {
    return this.creditAlerts.show(accountId);
  }

  @Put()
  async change(
    @Body({ schema: alertsBody }) alerts: AlertsBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<AlertsAnswer> {
    return this.creditAlerts.change(accountId, alerts, address);
  }
}
