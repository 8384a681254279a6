import { Controller, Get, UseGuards } from '@nestjs/common';
import type { CreditsAnswer } from '#contract/histories.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Credits } from '#core/credits/credits.js';
import { newYorkTimestamp } from '#core/rules/new-york-time.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** GET /api/dashboard/credits: the three cards of the Home view. */
@Controller('api/dashboard/credits')
@UseGuards(SessionGuard)
export class CreditsController {
  constructor(private readonly credits: Credits) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<CreditsAnswer> {
    const { updatedAt, ...totals } = await this.credits.recordOf(accountId);
    return { ...totals, updatedAt: newYorkTimestamp(updatedAt) };
  }
}
