import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';

/** Of payments the receipt at the card company goes, which names the buyer; amounts and ids stay for the books. */
@Injectable()
export class PaymentErasureRepository implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
  ) {
    accountErasure.register(this);
  }

  async erase(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'UPDATE payments SET receipt_url = NULL WHERE account_id = $1' }, [accountId]);
  }
}
