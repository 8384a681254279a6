import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../platform/errors/domain-error.js';
import { Postgres } from '../platform/database/postgres.js';
import { normalAddress } from '../rules/network-addresses.js';

const insert = {
  name: 'address-block-1',
  text: 'INSERT INTO blocked_addresses (address) VALUES ($1) ON CONFLICT DO NOTHING',
};
const remove = { name: 'address-unblock-1', text: 'DELETE FROM blocked_addresses WHERE address = $1' };

/**
 * Network addresses that may not use the API. Requests are checked against them by `ApiKeys.authenticate` and by the acceptance
 * statement.
 */
@Injectable()
export class BlockedAddresses {
  constructor(private readonly postgres: Postgres) {}

  /** Blocks an address and returns its normalized form. Throws `invalid_request` if it is not an IP address. */
  async block(address: string): Promise<string> {
    const normalized = normalize(address);
    await this.postgres.query(insert, [normalized]);
    return normalized;
  }

  /** Unblocks an address and returns its normalized form. Throws `invalid_request` if it is not an IP address. */
  async unblock(address: string): Promise<string> {
    const normalized = normalize(address);
    await this.postgres.query(remove, [normalized]);
    return normalized;
  }
}

function normalize(address: string): string {
  if (!isIP(address)) throw new DomainError('invalid_request', `${address} is not an IP address.`);
  return normalAddress(address);
}
