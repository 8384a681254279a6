import { Injectable } from '@nestjs/common';
import type { OtpSettingsBody } from '#contract/otp.js';
import { type CallLanguage, callLanguageDefault } from '#contract/otp-channels.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';

export const findSettings = {
  name: 'otp-settings-3',
  text: `
SELECT recipient_required AS "recipientRequired", channels_after_stop AS "channelsAfterStop",
  call_language AS "callLanguage"
FROM otp_guards WHERE account_id = $1`,
};

/**
 * Parameters: account, whether the recipient is required, whether other channels go on after a STOP, the language of
 * calls.
 */
const writeSettings = {
  name: 'otp-settings-write-3',
  text: `
INSERT INTO otp_guards (account_id, recipient_required, channels_after_stop, call_language) VALUES ($1, $2, $3, $4)
ON CONFLICT (account_id) DO UPDATE
SET recipient_required = excluded.recipient_required, channels_after_stop = excluded.channels_after_stop,
  call_language = excluded.call_language`,
} as const;

/** An account's settings of its one-time passwords; the two choices are off at first. */
export interface OtpAccountSettings {
  /** Every verification has to name the recipient or the code. */
  readonly recipientRequired: boolean;
  /** Codes may go by other channels to a person who has said STOP to text messages. */
  readonly channelsAfterStop: boolean;
  /** Language in which calls speak codes. */
  readonly callLanguage: CallLanguage;
}

/** An account's settings of its one-time passwords. */
@Injectable()
export class OtpSettings {
  constructor(
    private readonly postgres: Postgres,
    private readonly auditLog: AuditLog,
  ) {}

  async of(accountId: string): Promise<OtpAccountSettings> {
    const [row] = await this.postgres.query<OtpAccountSettings>(findSettings, [accountId]);
    return row ?? { recipientRequired: false, channelsAfterStop: false, callLanguage: callLanguageDefault };
  }

  /** Returns whether every verification has to name the recipient or the code. */
  async isRecipientRequired(accountId: string): Promise<boolean> {
    return (await this.of(accountId)).recipientRequired;
  }

  /** Takes effect for guesses that are judged later, and for codes that are sent later. */
  async change(
    accountId: string,
    { recipientRequired, channelsAfterStop, callLanguage }: OtpSettingsBody,
    actor: 'account' | 'operator',
    address?: string,
  ): Promise<OtpAccountSettings> {
    const before = await this.of(accountId);
    const after = {
      recipientRequired: recipientRequired ?? before.recipientRequired,
      channelsAfterStop: channelsAfterStop ?? before.channelsAfterStop,
      callLanguage: callLanguage ?? before.callLanguage,
    };
    await this.postgres.change(async (tx) => {
      const values = [after.recipientRequired, after.channelsAfterStop, after.callLanguage];
      await this.postgres.run(tx, writeSettings, [accountId, ...values]);
      const entry = { actor, accountId, action: 'otp.settings_changed', address, details: after } as const;
      await this.auditLog.recordChange(tx, entry, before, after);
    });
    return after;
  }
}
