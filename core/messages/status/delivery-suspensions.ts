import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { Accounts } from '../../accounts/accounts.js';
import { Notices } from '../../mail/notices.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { DeliverySuspensionsRepository, type Reach, type Suspension } from './delivery-suspensions.repository.js';
import { Every } from '../../platform/schedules/every.js';

const CHECKED_EVERY_MS = 60_000;

/**
 * Suspends accounts from sending when their messages were undelivered to more than half of at least
 * 50 recipients within 24 hours: otherwise refunds would pay for unread numbers. A scheduled task
 * finds these accounts, so that acceptance only reads a flag.
 */
@Injectable()
export class DeliverySuspensions {
  /**
   * Undelivered messages of an account at its last check; only a higher number needs a new check.
   */
  private readonly checkedAt = new Map<string, number>();

  constructor(
    private readonly postgres: Postgres,
    private readonly suspensions: DeliverySuspensionsRepository,
    private readonly accounts: Accounts,
    private readonly notices: Notices,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  /**
   * Checks the accounts with many undelivered messages and returns how many it suspended. Safe in
   * several workers at once.
   */
  @Every({ name: 'delivery suspensions', everyMs: CHECKED_EVERY_MS })
  async check(): Promise<number> {
    const suspects = await this.suspensions.suspects();
    const ids = new Set(suspects.map(({ accountId }) => accountId));
    for (const id of this.checkedAt.keys()) if (!ids.has(id)) this.checkedAt.delete(id);
    let suspended = 0;
    for (const { accountId, undelivered } of suspects) {
      if (this.checkedAt.get(accountId) === undelivered) continue;
      const reach = await this.suspensions.reach(accountId);
      if (isTooLow(reach) && (await this.suspend(accountId, reach))) suspended += 1;
      this.checkedAt.set(accountId, undelivered);
    }
    return suspended;
  }

  /** Returns the account's suspension, undefined when it may send. */
  async find(accountId: string): Promise<Suspension | undefined> {
    return this.suspensions.findOpen(accountId);
  }

  /** Lifts the suspension for the customer, who can do so once. Throws `lift_used`. */
  async liftByCustomer(accountId: string): Promise<void> {
    if (await this.lift(accountId, 'account')) return;
    if (await this.find(accountId))
      throw new DomainError('lift_used', 'You have lifted a suspension before. Contact support.');
  }

  /** Lifts the suspension for the operator. Throws `account_not_found`. */
  async liftByOperator(email: string): Promise<{ email: string; lifted: boolean }> {
    const { id } = await this.accounts.getByEmail(email);
    return { email, lifted: await this.lift(id, 'operator') };
  }

  private async suspend(accountId: string, reach: Reach): Promise<boolean> {
    const isNew = await this.postgres.transaction(async (tx) => {
      if (!(await this.suspensions.insert(tx, accountId, reach))) return false;
      await this.accounts.setDeliverySuspended(tx, accountId, true);
      const details = { ...reach };
      await this.auditLog.record(tx, { actor: 'provider', accountId, action: 'delivery.suspended', details });
      await this.notices.send(tx, accountId, { kind: 'delivery_suspended', ...details });
      return true;
    });
    if (isNew) this.logger.warn({ accountId, ...reach }, 'account suspended from sending');
    return isNew;
  }

  private async lift(accountId: string, by: 'account' | 'operator'): Promise<boolean> {
    return this.postgres.change(async (tx) => {
      if (!(await this.suspensions.lift(tx, accountId, by))) return false;
      await this.accounts.setDeliverySuspended(tx, accountId, false);
      await this.auditLog.record(tx, { actor: by, accountId, action: 'delivery.resumed' });
      return true;
    });
  }
}

function isTooLow({ recipients, undelivered }: Reach): boolean {
  return recipients >= limits.suspensionRecipientsMin && undelivered * 2 > recipients;
}
