import { Injectable } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import { normalAddress } from '../rules/network-address.js';
import { AccountsRepository } from './accounts.repository.js';
import type { PresentedKey } from './api-keys.js';
import { BlockedAddressesRepository } from './blocked-addresses.repository.js';
import { KeyUse } from './keys/key-use.js';
import { KeyRates } from './key-rates.js';

/**
 * Whose key it is, for calls that only read. Sending does the same in the admission statement. Throws `address_blocked`,
 * `unknown_api_key`, `account_blocked`.
 */
@Injectable()
export class AuthenticateKey {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly blockedAddresses: BlockedAddressesRepository,
    private readonly keyRates: KeyRates,
    private readonly keyUse: KeyUse,
  ) {}

  async run(key: PresentedKey, address: string): Promise<{ accountId: string }> {
    if (await this.blockedAddresses.has(normalAddress(address))) {
      throw new DomainError('address_blocked', 'This network address may not use the API.');
    }
    const account = await this.accounts.findByKeyHash(key.hash);
    if (!account) throw new DomainError('unknown_api_key', 'No account has this API key. The dashboard shows yours.');
    if (account.blockedAt) throw new DomainError('account_blocked', 'This account is blocked. Contact support.');
    this.keyRates.learn(key, account.keyRatePerSecond);
    this.keyUse.note(key);
    return { accountId: account.id };
  }
}
