import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { activityQuery, type ActivityAnswer, type ActivityQuery } from '#contract/activity.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { ShowActivity } from '#core/messages/history/show-activity.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** GET /api/dashboard/activity: the chart of the Home view. */
@Controller('api/dashboard/activity')
@UseGuards(SessionGuard)
export class ActivityController {
  constructor(private readonly showActivity: ShowActivity) {}

  @Get()
  async show(
    @SignedIn() { accountId }: SessionAccount,
    @Query(new ContractPipe(activityQuery)) { days }: ActivityQuery,
  ): Promise<ActivityAnswer> {
    return this.showActivity.run(accountId, days);
  }
}
