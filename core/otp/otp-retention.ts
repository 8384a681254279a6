import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { OtpPayloads } from '../messages/otp-payloads.js';
import { Postgres } from '../platform/database/postgres.js';
import { purge, type PurgeRule } from '../platform/durable-work/retention.js';

const codes: PurgeRule = { table: 'otp_codes', key: ['id'], expired: 'forget_at <= now()' };

/** Deletes codes a day after their end and OTP payloads that were never sent, and all codes of an erased account. */
@Injectable()
export class OtpRetention implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
    private readonly otpPayloads: OtpPayloads,
  ) {
    accountErasure.register(this);
  }

  /** Deletes one batch of each; returns whether there may be more. */
  async run(): Promise<boolean> {
    const moreCodes = await purge(this.postgres, codes, []);
    const morePayloads = await this.otpPayloads.purge();
    return moreCodes || morePayloads;
  }

  async erase(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'DELETE FROM otp_codes WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM otp_guards WHERE account_id = $1' }, [accountId]);
  }
}
