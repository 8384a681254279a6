import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../platform/errors/domain-error.js';
import { normalAddress } from '../rules/network-addresses.js';
import { BlockedAddressesRepository } from './blocked-addresses.repository.js';

/** Shuts a network address out of the API, or lets it in again. Throws `invalid_request` for what is no IP address. */
@Injectable()
export class BlockAddress {
  constructor(private readonly addresses: BlockedAddressesRepository) {}

  async block(address: string): Promise<string> {
    const normal = checked(address);
    await this.addresses.add(normal);
    return normal;
  }

  async unblock(address: string): Promise<string> {
    const normal = checked(address);
    await this.addresses.remove(normal);
    return normal;
  }
}

function checked(address: string): string {
  if (!isIP(address)) throw new DomainError('invalid_request', `${address} is not an IP address.`);
  return normalAddress(address);
}
