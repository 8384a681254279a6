import { Injectable } from '@nestjs/common';
import { v7 as uuidV7 } from 'uuid';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { CreditsAddedQueue } from '../platform/queue/queues.js';
import { FindAccount, type AccountView } from './find-account.js';

/** The operator gives or takes credits, with a reason. Throws `account_not_found`, `insufficient_credits`. */
@Injectable()
export class AdjustCredits {
  constructor(
    private readonly postgres: Postgres,
    private readonly credits: Credits,
    private readonly creditsAdded: CreditsAddedQueue,
    private readonly findAccount: FindAccount,
  ) {}

  async run(email: string, amount: number, why: string): Promise<AccountView> {
    const account = await this.findAccount.entity(email);
    await this.postgres.transaction((tx) =>
      this.credits.post(tx, [{ accountId: account.id, amount, kind: 'adjustment', sourceId: uuidV7(), note: why }]),
    );
    if (amount > 0) this.creditsAdded.enqueue({ id: account.id });
    return this.findAccount.run(email);
  }
}
