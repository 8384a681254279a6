import { Injectable } from '@nestjs/common';
import { AccountsRepository } from './accounts.repository.js';

/** How many messages an account may send on one New York day. */
@Injectable()
export class DailyLimit {
  constructor(private readonly accounts: AccountsRepository) {}

  /** Whether acceptance would refuse a message because today has had as many as it may; asked by who changes nothing. */
  async isReached(accountId: string): Promise<boolean> {
    return this.accounts.isDayFull(accountId);
  }
}
