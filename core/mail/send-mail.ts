import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { Mailer } from './mailer.js';
import { MailsRepository } from './mails.repository.js';
import { writeMail } from './write-mail.js';

const ATTEMPTS_MAX = 10;
const FIRST_WAIT_MS = 5_000;
const WAIT_MS_MAX = 3_600_000;

/** `retry`: run it again after the wait. */
export type SendMailResult = { readonly kind: 'done' } | { readonly kind: 'retry'; readonly delayMs: number };

/**
 * Brings one e-mail to the mail server. The row decides: a second runner finds nothing. SMTP has no way to ask whether a mail
 * was taken, so after a lost answer it goes out again under the same Message-ID.
 */
@Injectable()
export class SendMail {
  constructor(
    private readonly mails: MailsRepository,
    private readonly mailer: Mailer,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  async run(mailId: string): Promise<SendMailResult> {
    const mail = await this.mails.claim(mailId);
    if (!mail) return { kind: 'done' };
    const { id, recipient: to, content, attempts } = mail;
    const outcome = await this.mailer.send({ id, to, ...writeMail(content, this.config.http.publicUrl) });
    if (outcome.kind === 'sent') {
      await this.mails.end(mail, 'sent');
      this.metrics.mails.inc({ outcome: 'sent' });
      this.logger.info({ mailId, kind: content.kind, attempts }, 'mail sent');
      return { kind: 'done' };
    }
    if (outcome.kind === 'refused' || attempts >= ATTEMPTS_MAX) {
      await this.mails.end(mail, 'failed');
      this.metrics.mails.inc({ outcome: 'failed' });
      this.logger.error({ mailId, kind: content.kind, attempts, err: outcome.cause }, 'mail given up');
      return { kind: 'done' };
    }
    const delayMs = Math.min(FIRST_WAIT_MS * 4 ** (attempts - 1), WAIT_MS_MAX);
    await this.mails.release(mail, delayMs);
    this.metrics.mails.inc({ outcome: 'delayed' });
    this.logger.warn({ mailId, attempts, delayMs, err: outcome.cause }, 'mail not sent yet');
    return { kind: 'retry', delayMs };
  }
}
