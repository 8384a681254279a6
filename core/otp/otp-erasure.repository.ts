import { Injectable } from '@nestjs/common';
import { AccountErasures, type AccountErasure } from '../accounts/deletion/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';

/** What one-time passwords tell of people: whom they were for. */
@Injectable()
export class OtpErasureRepository implements AccountErasure {
  constructor(
    traces: AccountErasures,
    private readonly postgres: Postgres,
  ) {
    traces.add(this);
  }

  async forget(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'DELETE FROM otp_codes WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM otp_guards WHERE account_id = $1' }, [accountId]);
  }
}
