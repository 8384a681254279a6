import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure, type RecipientTraces } from '../accounts/account-erasure.js';
import { OtpPayloads } from '../messages/store/otp-payloads.js';
import { GuardRepository } from './guard/guard.repository.js';
import { Postgres } from '../platform/database/postgres.js';
import { purge, type PurgeRule } from '../platform/durable-work/retention.js';
import { Every } from '../platform/schedules/every.js';

const PURGED_EVERY_MS = 3_600_000;

const codes: PurgeRule = { table: 'otp_codes', key: ['id'], expired: 'forget_at <= now()' };

/** SQL condition: a code is for a number, or one of its steps goes to the number or address. */
const isOfPerson = `(recipient = $2 OR steps -> 'plan' @> jsonb_build_array(jsonb_build_object('to', $2::text)))`;

/** Deletes ended codes; counts them and the live codes. Parameters: account, number. */
const eraseCodes = {
  text: `
WITH deleted AS (
  DELETE FROM otp_codes WHERE account_id = $1 AND ${isOfPerson} AND state <> 'live' RETURNING 1
)
SELECT (SELECT count(*) FROM deleted)::int AS erased, (
  SELECT count(*) FROM otp_codes WHERE account_id = $1 AND ${isOfPerson} AND state = 'live'
)::int AS "inProgress"`,
} as const;

/**
 * Deletes codes a day after their end, OTP payloads that were never sent, the fraud guard's counts,
 * and all codes of an erased account.
 */
@Injectable()
export class OtpRetention implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
    private readonly otpPayloads: OtpPayloads,
    private readonly guard: GuardRepository,
  ) {
    accountErasure.register(this);
  }

  /** Deletes one batch of each kind; returns whether there may be more. */
  @Every({ name: 'otp retention', everyMs: PURGED_EVERY_MS, whileMore: true })
  async run(): Promise<boolean> {
    const moreCodes = await purge(this.postgres, codes, []);
    const morePayloads = await this.otpPayloads.purge();
    const moreCounts = await this.guard.purge();
    return moreCodes || morePayloads || moreCounts;
  }

  async erase(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'DELETE FROM otp_codes WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM otp_days WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM otp_channel_days WHERE account_id = $1' }, [accountId]);
    await this.guard.erase(accountId);
    await this.postgres.query({ text: 'DELETE FROM otp_guards WHERE account_id = $1' }, [accountId]);
  }

  async eraseRecipient(accountId: string, number: string): Promise<RecipientTraces> {
    await this.guard.erase(accountId, number);
    const [counts] = await this.postgres.query<Omit<RecipientTraces, 'name'>>(eraseCodes, [accountId, number]);
    return { name: 'codes', erased: counts?.erased ?? 0, inProgress: counts?.inProgress ?? 0 };
  }
}
