import { Injectable } from '@nestjs/common';
import { AccountErasures, type AccountErasure } from '../accounts/deletion/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';

/** Of payments the receipt at the card company goes, which names the buyer; amounts and ids stay for the books. */
@Injectable()
export class PaymentErasureRepository implements AccountErasure {
  constructor(
    traces: AccountErasures,
    private readonly postgres: Postgres,
  ) {
    traces.add(this);
  }

  async forget(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'UPDATE payments SET receipt_url = NULL WHERE account_id = $1' }, [accountId]);
  }
}
