import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import { Mails } from '../mail/mails.js';

/** Puts the welcome e-mail to an account's own address in line: once, however often it is asked for. */
@Injectable()
export class SendWelcome {
  constructor(
    private readonly mails: Mails,
    private readonly postgres: Postgres,
  ) {}

  /** Answers false when the account has had its welcome before. */
  async run({ id, email, displayName }: { id: string; email: string; displayName: string }): Promise<boolean> {
    const content = { kind: 'welcome', displayName, credits: limits.signupCredits } as const;
    const mail = { accountId: id, recipient: email, sourceId: id, content };
    const mailId = await this.postgres.transaction((tx) => this.mails.add(tx, mail));
    if (mailId === undefined) return false;
    this.mails.put(mailId);
    return true;
  }
}
