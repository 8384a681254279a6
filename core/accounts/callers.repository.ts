import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';

export interface CallerRow {
  readonly isAddressBlocked: boolean;
  /** Null when no account has the key. */
  readonly accountId: string | null;
  readonly isBlocked: boolean;
  readonly keyRatePerSecond: number | null;
}

const findAll = {
  name: 'callers-1',
  text: `
SELECT
  EXISTS (SELECT 1 FROM blocked_addresses b WHERE b.address = c.address) AS "isAddressBlocked",
  a.id AS "accountId",
  a.blocked_at IS NOT NULL AS "isBlocked",
  a.key_rate_per_second AS "keyRatePerSecond"
FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS c (key_hash, address, n)
LEFT JOIN api_keys k ON k.key_hash = c.key_hash AND (k.expires_at IS NULL OR k.expires_at > now())
LEFT JOIN accounts a ON a.id = k.account_id
ORDER BY c.n`,
};

/** What the database knows of those who call the API. */
@Injectable()
export class CallersRepository {
  constructor(private readonly postgres: Postgres) {}

  /** One row for each caller, in order. */
  async find(callers: readonly { readonly keyHash: Buffer; readonly address: string }[]): Promise<CallerRow[]> {
    return this.postgres.query<CallerRow>(findAll, [
      callers.map(({ keyHash }) => keyHash),
      callers.map(({ address }) => address),
    ]);
  }
}
