import { Injectable } from '@nestjs/common';
import type { OtpAnswer } from '#contract/otp.js';
import { otpIdFromPublic, publicOtpId } from '../rules/ids.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { OtpRecordsRepository } from './otp-records.repository.js';
import { GuardRepository } from './guard/guard.repository.js';
import { blockedOtpView, otpNotFound, otpView } from './otp-state.js';
import { testOtpView } from './test-otps.js';

/** One-time passwords, for reading. */
@Injectable()
export class Otps {
  constructor(
    private readonly records: OtpRecordsRepository,
    private readonly guard: GuardRepository,
  ) {}

  /**
   * Finds a code of the account, or a refusal of the fraud guard, by its public id. Throws
   * `otp_not_found`, also for another account's code.
   */
  async find(accountId: string, otpId: string): Promise<Omit<OtpAnswer, 'success'>> {
    const id = otpIdFromPublic(otpId);
    const record = id && (await this.records.find(accountId, id));
    if (record) return otpView(record);
    const block = id && (await this.guard.findBlock(accountId, id));
    if (!block) throw otpNotFound(otpId);
    return blockedOtpView(block);
  }

  /** The public id of the newest code with this reference; undefined when there is none. */
  async newestOf(accountId: string, reference: string): Promise<string | undefined> {
    const id = await this.records.newestOf(accountId, reference);
    return id && publicOtpId(id);
  }

  /** Finds a code of test mode. Throws `otp_not_found`. */
  findTest(otpId: string): Omit<OtpAnswer, 'success'> {
    return testOtpView(otpId, new Date());
  }
}

export const findSettings = {
  name: 'otp-settings-1',
  text: 'SELECT recipient_required AS "recipientRequired" FROM otp_guards WHERE account_id = $1',
};

const writeSettings = `
INSERT INTO otp_guards (account_id, recipient_required) VALUES ($1, $2)
ON CONFLICT (account_id) DO UPDATE SET recipient_required = excluded.recipient_required`;

/** What an account has chosen about its one-time passwords. */
@Injectable()
export class OtpSettings {
  constructor(
    private readonly postgres: Postgres,
    private readonly auditLog: AuditLog,
  ) {}

  /** Whether every verification has to name the recipient or the code. */
  async isRecipientRequired(accountId: string): Promise<boolean> {
    const [row] = await this.postgres.query<{ recipientRequired: boolean }>(findSettings, [accountId]);
    return row?.recipientRequired ?? false;
  }

  /** Takes effect for guesses that are judged after it. */
  async requireRecipient(
    accountId: string,
    recipientRequired: boolean,
    actor: 'account' | 'operator',
    address?: string,
  ): Promise<{ recipientRequired: boolean }> {
    await this.postgres.transaction(async (tx) => {
      await tx.query(writeSettings, [accountId, recipientRequired]);
      const details = { recipientRequired };
      await this.auditLog.record(tx, { actor, accountId, action: 'otp.settings_changed', address, details });
    });
    return { recipientRequired };
  }
}
