import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Mails } from '../../mail/mails.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { EmailVerification } from './email-links.js';

const DUE_MAX = 100;
const RETRIED_AFTER = '1 minute';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
}

/** Takes accounts whose welcome email could not be queued; each is due again, so that a crash loses none. */
export const takeDueStatement = {
  text: `
UPDATE accounts SET welcome_mail_due_at = now() + interval '${RETRIED_AFTER}'
WHERE id IN (
  SELECT id FROM accounts WHERE welcome_mail_due_at <= now() AND blocked_at IS NULL
  ORDER BY welcome_mail_due_at LIMIT ${DUE_MAX} FOR NO KEY UPDATE SKIP LOCKED
)
RETURNING id, email, display_name AS "displayName"`,
} as const;

/** The welcome email, with a second one to verify the address of a password account: queued after the first sign-in, and again while that fails. */
@Injectable()
export class WelcomeMails {
  constructor(
    private readonly postgres: Postgres,
    private readonly mails: Mails,
    private readonly verification: EmailVerification,
    private readonly logger: Logger,
  ) {}

  /** Records in the transaction of the sign-up that an email is due, also if the process dies right after it. */
  async expect(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query(`UPDATE accounts SET welcome_mail_due_at = now() + interval '${RETRIED_AFTER}' WHERE id = $1`, [
      accountId,
    ]);
  }

  /** Queues the email to the account's own address. Returns false when it was queued before. */
  async send({ id, email, displayName }: Person): Promise<boolean> {
    const content = { kind: 'welcome', displayName, credits: limits.signupCredits } as const;
    return this.postgres.transaction(async (tx) => {
      const isFirst = await this.mails.queue(tx, { accountId: id, recipient: email, sourceId: id, content });
      if (isFirst) await this.verification.send(tx, id);
      await tx.query('UPDATE accounts SET welcome_mail_due_at = NULL WHERE id = $1', [id]);
      return isFirst;
    });
  }

  /** Queues a batch of emails that are due; returns whether there may be more. */
  async sendDue(): Promise<boolean> {
    const people = await this.postgres.query<Person>(takeDueStatement, []);
    const results = await Promise.allSettled(people.map((person) => this.send(person)));
    results.forEach((result, index) => {
      if (result.status === 'rejected')
        this.logger.error({ err: result.reason, accountId: people[index]?.id }, 'welcome email not queued');
    });
    return people.length === DUE_MAX;
  }
}
