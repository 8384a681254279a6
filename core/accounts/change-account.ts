import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountChanges } from './accounts.repository.js';
import { FindAccount, type AccountView } from './find-account.js';

/** The operator's settings of an account: daily limit, key rate, URLs, blocked or not. Throws `account_not_found`. */
@Injectable()
export class ChangeAccount {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly findAccount: FindAccount,
  ) {}

  async run(email: string, changes: AccountChanges): Promise<AccountView> {
    const account = await this.findAccount.entity(email);
    await this.accounts.change(account.id, changes);
    return this.findAccount.run(email);
  }
}
