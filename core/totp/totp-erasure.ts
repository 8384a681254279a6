import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { TotpsRepository } from './totps.repository.js';

/** Deletes the authenticators of an erased account. */
@Injectable()
export class TotpErasure implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly totps: TotpsRepository,
  ) {
    accountErasure.register(this);
  }

  async erase(accountId: string): Promise<void> {
    await this.totps.erase(accountId);
  }
}
