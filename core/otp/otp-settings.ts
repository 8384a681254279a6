import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';

export const findSettings = {
  name: 'otp-settings-1',
  text: 'SELECT recipient_required AS "recipientRequired" FROM otp_guards WHERE account_id = $1',
};

/** Parameters: account, whether the recipient is required. */
const writeSettings = {
  name: 'otp-settings-write-1',
  text: `
INSERT INTO otp_guards (account_id, recipient_required) VALUES ($1, $2)
ON CONFLICT (account_id) DO UPDATE SET recipient_required = excluded.recipient_required`,
} as const;

/** An account's settings of its one-time passwords. */
@Injectable()
export class OtpSettings {
  constructor(
    private readonly postgres: Postgres,
    private readonly auditLog: AuditLog,
  ) {}

  /** Returns whether every verification has to name the recipient or the code. */
  async isRecipientRequired(accountId: string): Promise<boolean> {
    const [row] = await this.postgres.query<{ recipientRequired: boolean }>(findSettings, [accountId]);
    return row?.recipientRequired ?? false;
  }

  /** Takes effect for guesses that are judged later. */
  async requireRecipient(
    accountId: string,
    recipientRequired: boolean,
    actor: 'account' | 'operator',
    address?: string,
  ): Promise<{ recipientRequired: boolean }> {
    const before = await this.isRecipientRequired(accountId);
    await this.postgres.change(async (tx) => {
      await this.postgres.run(tx, writeSettings, [accountId, recipientRequired]);
      const details = { recipientRequired };
      const entry = { actor, accountId, action: 'otp.settings_changed', address, details } as const;
      await this.auditLog.recordChange(tx, entry, before, recipientRequired);
    });
    return { recipientRequired };
  }
}
