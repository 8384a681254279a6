import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Config } from '../../platform/config/config.js';
import { Mailer, type MailOutcome, type OutgoingMail } from '../../mail/mailer.js';

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 20_000;

/** Sends emails over SMTP. Without SMTP_URL the mail server counts as unavailable. */
@Injectable()
export class SmtpMailer extends Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter | undefined;
  private readonly idHost: string;

  constructor(private readonly config: Config) {
    super();
    const { smtpUrl } = config.mail;
    this.transport = smtpUrl === undefined ? undefined : createTransport(withTimeouts(smtpUrl));
    this.idHost = new URL(config.http.publicUrl).hostname;
  }

  async send({ id, to, subject, text, html }: OutgoingMail): Promise<MailOutcome> {
    if (!this.transport) return { kind: 'unavailable', cause: new Error('SMTP_URL is not set') };
    try {
      await this.transport.sendMail({
        messageId: `<${id}@${this.idHost}>`,
        from: this.config.mail.from,
        to: { name: '', address: to },
        subject,
        text,
        html,
      });
      return { kind: 'sent' };
    } catch (cause) {
      return { kind: isRefusal(cause) ? 'refused' : 'unavailable', cause };
    }
  }

  /** Resolves when the mail server takes our login. Throws otherwise. */
  async check(): Promise<void> {
    await this.transport?.verify();
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/** Sets timeouts in the URL's query, where nodemailer reads its options. */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  url.searchParams.set('connectionTimeout', String(CONNECT_TIMEOUT_MS));
  url.searchParams.set('greetingTimeout', String(CONNECT_TIMEOUT_MS));
  url.searchParams.set('socketTimeout', String(ANSWER_TIMEOUT_MS));
  return url.href;
}

/**
 * 5xx is permanent (RFC 5321, section 4.2.1), except a failed login, which the operator can fix.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === 'EAUTH') return false;
  return 'responseCode' in error && typeof error.responseCode === 'number' && error.responseCode >= 500;
}
