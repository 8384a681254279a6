import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { Encryption } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import {
  BatchClaim,
  eachDueRow,
  exponentialWaits,
  isDueAndFree,
  retryDelayMs,
} from '../platform/durable-work/durable-work.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { MailQueue } from '../platform/queue/queues.js';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import { renderMail, type MailContent } from './mail-template.js';
import { Mailer, type MailOutcome } from './mailer.js';
import { LOST_AFTER_SECONDS } from './mails.js';
import { withSafeTexts } from './person-texts.js';
import { Every } from '../platform/schedules/every.js';

const RECOVERY_EVERY_MS = 10_000;

const LEASE_SECONDS = 120;
/** Maximum duration of sending, above the mail server's timeouts. */
const SEND_TIMEOUT_MS = 60_000;
const DUE_MAX = 100;

const retries = {
  waitMs: exponentialWaits({ firstMs: 5_000, factor: 4, maxMs: 3_600_000, attemptsMax: 10 }),
  jitter: [1, 1],
} as const;

export interface ClaimedMail {
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly content: MailContent;
  /** True if the account's owner has proved to read the address. */
  readonly isConfirmed: boolean;
  /** The token of a link. */
  readonly secret: Buffer | null;
  readonly secretKeyId: string | null;
  /** The number of this claim. */
  readonly attempts: number;
}

/** Claims queued emails with a lease. Parameter: ids. */
export const claimMails = {
  name: 'mail-claim-4',
  text: `
WITH waiting AS MATERIALIZED (
  SELECT id FROM mails WHERE id = ANY ($1::uuid[]) AND status = 'queued' ORDER BY id FOR NO KEY UPDATE
)
UPDATE mails m SET status = 'sending', attempts = m.attempts + 1, due_at = now() + interval '${LEASE_SECONDS} seconds'
FROM waiting WHERE m.id = waiting.id
RETURNING m.id, m.account_id AS "accountId", m.recipient, m.content, m.attempts, m.secret,
  m.secret_key_id AS "secretKeyId", coalesce((
  SELECT a.sign_in_type <> 'custom' OR a.email_verified_at IS NOT NULL OR a.google_subject IS NOT NULL
  FROM accounts a WHERE a.id = m.account_id
), false) AS "isConfirmed"`,
} as const;

/**
 * Records the final state. Parameters: email, number of the claim, state. An outdated claim changes
 * nothing.
 */
const finishMail = {
  name: 'mail-end-2',
  text: `
UPDATE mails SET status = $3, sent_at = CASE WHEN $3 = 'sent' THEN now() END, due_at = NULL, secret = NULL,
  secret_key_id = NULL
WHERE id = $1 AND status = 'sending' AND attempts = $2`,
} as const;

/**
 * Queues an email again. Parameters: email, number of the claim, milliseconds. An outdated claim
 * changes nothing.
 */
const releaseMail = {
  name: 'mail-release-1',
  text: `
UPDATE mails
SET status = 'queued', due_at = now() + $3 * interval '1 millisecond' + interval '${LOST_AFTER_SECONDS} seconds'
WHERE id = $1 AND status = 'sending' AND attempts = $2`,
} as const;

/** Takes emails whose job may be lost, and emails whose lease has expired. */
export const takeDueMails = {
  name: 'mail-due-2',
  text: `
UPDATE mails SET status = 'queued', due_at = now() + interval '${LOST_AFTER_SECONDS} seconds'
WHERE ${isDueAndFree('mails', DUE_MAX)}
RETURNING id`,
} as const;

/** `retry`: send the email again after the delay. */
type SendMailResult = { readonly kind: 'done' } | { readonly kind: 'retry'; readonly delayMs: number };

/**
 * Sends queued emails. Concurrent runs for the same email send it once, because its row is claimed.
 * SMTP does not reveal whether an email was accepted, so it is sent again under the same Message-ID
 * when the answer was lost.
 */
@Injectable()
export class MailSender {
  private readonly claims: BatchClaim<ClaimedMail>;

  constructor(
    private readonly postgres: Postgres,
    private readonly mailer: Mailer,
    private readonly encryption: Encryption,
    private readonly config: Config,
    private readonly telemetry: Telemetry,
    private readonly accountEvents: AccountEvents,
    private readonly queue: MailQueue,
  ) {
    this.claims = new BatchClaim({
      leaseMs: LEASE_SECONDS * 1_000,
      claim: (ids) => postgres.query<ClaimedMail>(claimMails, [ids]),
    });
  }

  /** Makes one attempt to send a queued email and records it. */
  async send(mailId: string): Promise<SendMailResult> {
    const claimed = await this.claims.claim(mailId);
    // An email is sent only if the lease outlasts the call; otherwise recovery takes it when the
    // lease has expired.
    if (!claimed?.lease.covers(SEND_TIMEOUT_MS)) return { kind: 'done' };
    const { id, accountId, content, attempts } = claimed.row;
    const outcome = await this.attempt(claimed.row);
    if (outcome.kind === 'sent') {
      await this.finish(claimed.row, 'sent');
      this.telemetry.logger.info({ mailId, kind: content.kind, attempts }, 'email sent');
      return { kind: 'done' };
    }
    const delayMs = outcome.kind === 'refused' ? undefined : retryDelayMs(retries, attempts);
    if (delayMs === undefined) {
      await this.finish(claimed.row, 'failed');
      if (content.kind === 'welcome') this.accountEvents.welcomeChanged(accountId);
      this.telemetry.logger.error({ mailId, kind: content.kind, attempts, err: outcome.cause }, 'email failed');
      return { kind: 'done' };
    }
    await this.postgres.query(releaseMail, [id, attempts, delayMs]);
    this.telemetry.metrics.mails.inc({ outcome: 'delayed' });
    this.telemetry.logger.warn({ mailId, attempts, delayMs, err: outcome.cause }, 'email delayed');
    return { kind: 'retry', delayMs };
  }

  /**
   * Enqueues one batch of due emails and returns how many were due. Safe in several workers at
   * once.
   */
  @Every({
    name: 'mail recovery',
    everyMs: ({ mail }) => (mail.smtpUrl === undefined ? null : RECOVERY_EVERY_MS),
    whileMore: true,
  })
  async recover(): Promise<number> {
    const due = await this.postgres.query<{ id: string }>(takeDueMails, []);
    return eachDueRow(due, { name: 'emails', logger: this.telemetry.logger }, (mail) => this.queue.enqueued(mail));
  }

  private async attempt(mail: ClaimedMail): Promise<MailOutcome> {
    const { id, recipient: to, secret, secretKeyId } = mail;
    const content = withSafeTexts(mail.content, mail.isConfirmed);
    let token: string | undefined;
    try {
      token = secret === null ? undefined : this.encryption.decrypt({ ciphertext: secret, keyId: secretKeyId });
    } catch (cause) {
      return { kind: 'refused', cause };
    }
    return this.mailer.send({ id, to, ...renderMail(content, this.config.http.publicUrl, token) });
  }

  private async finish({ id, attempts }: ClaimedMail, status: 'sent' | 'failed'): Promise<void> {
    await this.postgres.query(finishMail, [id, attempts, status]);
    this.telemetry.metrics.mails.inc({ outcome: status });
  }
}
