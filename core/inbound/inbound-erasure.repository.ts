import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';

const FORGOTTEN_AT_ONCE_MAX = 5_000;

const forgetTexts = {
  text: `
WITH forgotten AS (
  UPDATE inbound_messages SET sender = '', body = '', carrier_id = ''
  WHERE id IN (
    SELECT id FROM inbound_messages WHERE account_id = $1 AND number > $2 ORDER BY number LIMIT ${FORGOTTEN_AT_ONCE_MAX}
  )
  RETURNING number
)
SELECT max(number)::float8 AS last FROM forgotten`,
};

/** What replies tell of people. Opt-outs stay: the wish outlives the account. */
@Injectable()
export class InboundErasureRepository implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
  ) {
    accountErasure.register(this);
  }

  async erase(accountId: string): Promise<void> {
    let last: number | null = 0;
    while (last !== null) {
      const rows: { last: number | null }[] = await this.postgres.query(forgetTexts, [accountId, last]);
      last = rows[0]?.last ?? null;
    }
  }
}
