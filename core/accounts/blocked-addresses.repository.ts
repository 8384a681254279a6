import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';

/** Network addresses that may not use the API. Callers are compared with them in `callers.repository` and in the acceptance statement. */
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
}
