import { Injectable } from '@nestjs/common';
import { DomainError } from '../platform/errors/domain-error.js';
import { Postgres } from '../platform/database/postgres.js';
import { blockedNetworkOf } from '../rules/network-addresses.js';
import { BlockedAddressEntity } from './blocked-address.entity.js';

const remove = {
  name: 'address-unblock-2',
  text: 'DELETE FROM blocked_addresses WHERE address::inet <<= $1::inet',
  shared: true,
};

/**
 * Network addresses that may not use the API, alone or as CIDR ranges. Requests are checked against
 * them by `ApiKeys.authenticate` and by the acceptance statement.
 */
@Injectable()
export class BlockedAddresses {
  constructor(private readonly postgres: Postgres) {}

  /**
   * Blocks an address, the /64 of an IPv6 address, or a CIDR range, and returns its normalized
   * form. Throws `invalid_request`.
   */
  async block(address: string): Promise<string> {
    const network = networkOf(address);
    await this.postgres.call((manager) =>
      manager.createQueryBuilder(BlockedAddressEntity, 'a').insert().values({ address: network }).orIgnore().execute(),
    );
    return network;
  }

  /**
   * Unblocks an address or everything within a range, and returns its normalized form. Throws
   * `invalid_request`.
   */
  async unblock(address: string): Promise<string> {
    const network = networkOf(address);
    await this.postgres.query(remove, [network]);
    return network;
  }
}

function networkOf(address: string): string {
  const network = blockedNetworkOf(address);
  if (network !== undefined) return network;
  const detail = `${address} is neither an IP address nor a CIDR range of at least /8 (IPv6: /16).`;
  throw new DomainError('invalid_request', detail);
}
