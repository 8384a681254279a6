import { Injectable } from '@nestjs/common';
import { AccountTraces, type AccountTrace } from '../accounts/deletion/account-traces.js';
import { Postgres } from '../platform/database/postgres.js';

/** What one-time passwords tell of people: whom they were for. */
@Injectable()
export class OtpTracesRepository implements AccountTrace {
  constructor(
    traces: AccountTraces,
    private readonly postgres: Postgres,
  ) {
    traces.add(this);
  }

  async forget(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'DELETE FROM otp_codes WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM otp_guards WHERE account_id = $1' }, [accountId]);
  }
}
