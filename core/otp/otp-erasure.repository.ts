import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';

/** What one-time passwords tell of people: whom they were for. */
@Injectable()
export class OtpErasureRepository implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
  ) {
    accountErasure.register(this);
  }

  async erase(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'DELETE FROM otp_codes WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM otp_guards WHERE account_id = $1' }, [accountId]);
  }
}
