import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { boundedLine } from '../platform/database/bounded-line.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { normalAddress } from '../rules/network-addresses.js';
import type { PresentedKey } from './api-keys.js';
import { CallersRepository, type CallerRow } from './callers.repository.js';
import { KeyUse } from './keys/key-use.js';
import { KeyRates } from './key-rates.js';

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;

interface Caller {
  readonly keyHash: Buffer;
  readonly address: string;
}

/**
 * Whose key it is, for calls that only read or that come before the acceptance statement, which does the same. Those who
 * ask at the same time share a round trip. Throws `address_blocked`, `unknown_api_key`, `account_blocked`.
 */
@Injectable()
export class AuthenticateKey {
  private readonly group: GroupCommit<Caller, CallerRow>;

  constructor(
    config: Config,
    callers: CallersRepository,
    private readonly keyRates: KeyRates,
    private readonly keyUse: KeyUse,
  ) {
    this.group = new GroupCommit({
      ...boundedLine(config),
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => callers.find(batch),
    });
  }

  async run(key: PresentedKey, address: string): Promise<{ accountId: string }> {
    const caller = await this.group.submit({ keyHash: key.hash, address: normalAddress(address) });
    if (caller.isAddressBlocked) throw new DomainError('address_blocked', 'This network address may not use the API.');
    const { accountId } = caller;
    if (accountId === null)
      throw new DomainError('unknown_api_key', 'No account has this API key. The dashboard shows yours.');
    if (caller.isBlocked) throw new DomainError('account_blocked', 'This account is blocked. Contact support.');
    this.keyRates.learn(key, caller.keyRatePerSecond);
    this.keyUse.note(key);
    return { accountId };
  }
}
