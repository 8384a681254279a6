import { Injectable } from '@nestjs/common';
import type { Notification } from '#contract/notifications.js';
import { Credits } from '../credits/credits.js';
import { FraudGuard } from '../otp/guard/fraud-guard.js';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { newYorkDay, startOfNewYorkDay } from '../rules/time.js';
import { type AccountState, accountStateStatement } from './account-state.sql.js';
import { notificationsOf } from './notification-rules.js';

/**
 * Matters that need an account owner's attention now. Derived from the state that the features
 * keep, so a matter begins and ends with its cause; nothing is stored. Takes two statements, and
 * the fraud guard's statements only while it has refused codes.
 */
@Injectable()
export class Notifications {
  constructor(
    private readonly postgres: Postgres,
    private readonly credits: Credits,
    private readonly fraudGuard: FraudGuard,
    private readonly config: Config,
  ) {}

  /** Returns critical matters first; empty for an account that does not exist. */
  async list(accountId: string): Promise<Notification[]> {
    const month = startOfNewYorkDay(`${newYorkDay(new Date()).slice(0, 8)}01`);
    const [state] = await this.postgres.query<AccountState>(accountStateStatement, [accountId, month]);
    if (!state) return [];
    const credits = await this.credits.stateOf(accountId);
    const guard = state.guardRefused ? await this.fraudGuard.state(accountId) : undefined;
    return notificationsOf({ state, credits, guard, publicUrl: this.config.http.publicUrl });
  }
}
