import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Mails } from '../../mail/mails.js';
import { Postgres } from '../../platform/database/postgres.js';
import { eachDueRow, isDueAndFree } from '../../platform/durable-work/durable-work.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { EmailVerification } from './email-links.js';
import { FreeCredits } from './free-credits.js';
import { Every } from '../../platform/schedules/every.js';

const DUE_EVERY_MS = 10_000;

const DUE_MAX = 100;
const RETRIED_AFTER = '1 minute';

/**
 * `again`: an earlier email could not be sent. `waiting`: an earlier email is queued and not sent
 * yet.
 */
type WelcomeResult = 'first' | 'again' | 'waiting' | 'sent';

/** State of the welcome to a new account, for its dashboard. */
export interface Welcome {
  /**
   * The email could not be sent and is not retried unless asked for, or it could not be queued yet.
   */
  readonly emailFailed: boolean;
  /** The account got no free credits, because its person has had them. */
  readonly hadFreeCredits: boolean;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
}

/**
 * Takes accounts whose welcome email could not be queued; each is due again, in case of a crash.
 */
export const takeDueStatement = {
  text: `
UPDATE accounts SET welcome_mail_due_at = now() + interval '${RETRIED_AFTER}'
WHERE ${isDueAndFree('accounts', DUE_MAX, { due: 'welcome_mail_due_at', and: 'AND blocked_at IS NULL' })}
RETURNING id, email, display_name AS "displayName"`,
} as const;

/** Parameters: account. An email that is due and not in `mails` could not be queued. */
export const emailFailed = `
SELECT coalesce(
  (SELECT status = 'failed' FROM mails WHERE kind = 'welcome' AND source_id = a.id::text),
  a.welcome_mail_due_at IS NOT NULL
) AS "emailFailed"
FROM accounts a WHERE a.id = $1`;

/**
 * The welcome email, and for a password account a second email to verify its address. Both are
 * queued after the first sign-in, and again while that fails.
 */
@Injectable()
export class WelcomeMails {
  constructor(
    private readonly postgres: Postgres,
    private readonly mails: Mails,
    private readonly verification: EmailVerification,
    private readonly freeCredits: FreeCredits,
    private readonly logger: Logger,
  ) {}

  /**
   * Records in the transaction of the sign-up that an email is due, also if the process dies right
   * after it.
   */
  async expect(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query(`UPDATE accounts SET welcome_mail_due_at = now() + interval '${RETRIED_AFTER}' WHERE id = $1`, [
      accountId,
    ]);
  }

  /** Queues the email to the account's own address, once, and again when it could not be sent. */
  async send({ id, email, displayName }: Person): Promise<WelcomeResult> {
    return this.postgres.change(async (tx) => {
      const credits = (await this.freeCredits.wereForAnother(tx, id, email)) ? 0 : limits.signupCredits;
      const mail = {
        accountId: id,
        recipient: email,
        sourceId: id,
        content: { kind: 'welcome', displayName, credits },
      } as const;
      const isFirst = await this.mails.queue(tx, mail);
      const earlier = isFirst ? undefined : await this.mails.queueFailed(tx, mail);
      if (isFirst || earlier === 'failed') await this.verification.send(tx, id);
      await tx.query('UPDATE accounts SET welcome_mail_due_at = NULL WHERE id = $1', [id]);
      if (isFirst) return 'first';
      return earlier === 'failed' ? 'again' : earlier === 'sent' ? 'sent' : 'waiting';
    });
  }

  /** Reads the state of the welcome for the dashboard. */
  async stateOf(id: string, email: string): Promise<Welcome> {
    return this.postgres.change(async (tx) => {
      const [row] = await tx.query<{ emailFailed: boolean }[]>(emailFailed, [id]);
      return {
        emailFailed: row?.emailFailed ?? false,
        hadFreeCredits: await this.freeCredits.wereForAnother(tx, id, email),
      };
    });
  }

  /** Queues a batch of emails that are due; returns how many. */
  @Every({ name: 'welcome emails', everyMs: DUE_EVERY_MS, whileMore: true })
  async sendDue(): Promise<number> {
    const due = await this.postgres.query<Person>(takeDueStatement, []);
    return eachDueRow(due, { name: 'welcome emails', logger: this.logger }, (person) => this.send(person));
  }
}
