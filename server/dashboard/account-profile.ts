import { Injectable } from '@nestjs/common';
import { Accounts } from '#core/accounts/accounts.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { Invoices } from '#core/billing/invoices/invoices.js';
import { NamedKeys } from '#core/keys/named-keys.js';

/** An account's settings, keys and sessions, for its export. */
@Injectable()
export class AccountProfile {
  constructor(
    private readonly accounts: Accounts,
    private readonly namedKeys: NamedKeys,
    private readonly sessions: Sessions,
    private readonly invoices: Invoices,
  ) {}

  async of(accountId: string): Promise<object> {
    const { email, displayName, signInType, createdAt, dailyLimit, disabledCountries, deleteAt, emailVerifiedAt } =
      await this.accounts.get(accountId);
    return {
      id: accountId,
      email,
      displayName,
      emailVerifiedAt,
      signInType,
      createdAt,
      dailyLimit,
      disabledCountries,
      deleteAt,
      invoiceDetails: await this.invoices.details(accountId),
      ...(await this.namedKeys.describeAll(accountId)),
      sessions: await this.sessions.list(accountId),
    };
  }
}
