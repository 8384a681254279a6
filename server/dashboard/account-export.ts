import { Injectable } from '@nestjs/common';
import { Accounts } from '#core/accounts/accounts.js';
import { ApiKeys } from '#core/accounts/api-keys.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { Payments } from '#core/billing/payments.js';
import { LedgerHistory } from '#core/credits/ledger-history.js';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { SentHistory } from '#core/messages/history/sent-history.js';

/** Everything that an account has stored, as one JSON document that is generated while it is read. */
@Injectable()
export class AccountExport {
  constructor(
    private readonly accounts: Accounts,
    private readonly apiKeys: ApiKeys,
    private readonly sessions: Sessions,
    private readonly sent: SentHistory,
    private readonly received: ReceivedHistory,
    private readonly ledger: LedgerHistory,
    private readonly payments: Payments,
  ) {}

  /**
   * The document. Its last member is `"complete": true`, so that one that was cut off shows. Histories are newest first and have
   * what there was when the export came to them.
   */
  async *document(accountId: string): AsyncGenerator<string> {
    yield `{"exportedAt":${JSON.stringify(new Date())},"account":${JSON.stringify(await this.accountOf(accountId))}`;
    const histories = {
      messages: this.sent.all(accountId),
      replies: this.received.all(accountId),
      ledger: this.ledger.all(accountId),
      payments: this.payments.all(accountId),
    };
    for (const [name, batches] of Object.entries(histories)) yield* arrayOf(name, batches);
    yield ',"complete":true}\n';
  }

  private async accountOf(accountId: string): Promise<object> {
    const { email, displayName, signInType, createdAt, dailyLimit, deleteAt } = await this.accounts.get(accountId);
    const { masked, lastUsedAt, createdAt: keyCreatedAt, earlier } = await this.apiKeys.list(accountId);
    return {
      id: accountId,
      email,
      displayName,
      signInType,
      createdAt,
      dailyLimit,
      deleteAt,
      apiKeys: [{ masked, createdAt: keyCreatedAt, lastUsedAt, expiresAt: null }, ...earlier],
      sessions: await this.sessions.list(accountId),
    };
  }
}

async function* arrayOf(name: string, batches: AsyncIterable<object[]>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}:[`;
  let separator = '\n';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield ']';
}
