import { Injectable } from '@nestjs/common';
import { Postgres } from '../database/postgres.js';

/** Network addresses that may not use the API. The admission statement reads this table too. */
@Injectable()
export class BlockedAddressesRepository {
  constructor(private readonly postgres: Postgres) {}

  async add(address: string): Promise<void> {
    await this.postgres.query(
      { name: 'address-block-1', text: 'INSERT INTO blocked_addresses (address) VALUES ($1) ON CONFLICT DO NOTHING' },
      [address],
    );
  }

  async remove(address: string): Promise<void> {
    await this.postgres.query({ name: 'address-unblock-1', text: 'DELETE FROM blocked_addresses WHERE address = $1' }, [
      address,
    ]);
  }

  async has(address: string): Promise<boolean> {
    const rows = await this.postgres.query<{ found: number }>(
      { name: 'address-blocked-1', text: 'SELECT 1 AS found FROM blocked_addresses WHERE address = $1' },
      [address],
    );
    return rows.length > 0;
  }
}
