import { carrierNumbers } from '#contract/carrier-codes.js';
import {
  Carrier,
  type CarrierCapabilities,
  type CarrierMessage,
  type CarrierRecords,
  type SendOutcome,
} from '../../carriers/carrier.js';
import type { Config } from '../../platform/config/config.js';
import { escapedHtml } from '../../rules/html.js';
import { SmtpMailer } from './smtp-mailer.js';

const ADVICE = 'If you did not ask for it, ignore this email.';
const SUBJECT = 'Your verification code';

/**
 * A mail server cannot be asked what it has taken. A message in doubt is sent again with its Message-ID, by which email
 * clients recognize a duplicate.
 */
const unrecorded: CarrierRecords = {
  completeAfterMs: 0,
  find: async () => undefined,
  listTo: async () => [],
};

/** Email as the carrier of one-time passwords. It has no receipts: a message that a server has taken stays sent. */
export class EmailCarrier extends Carrier {
  readonly name = 'email';
  readonly number = carrierNumbers.email;
  readonly capabilities: CarrierCapabilities = { records: unrecorded, inbox: undefined };
  private readonly mailer: SmtpMailer;

  constructor(config: Config) {
    super();
    this.mailer = new SmtpMailer(config);
  }

  async check(): Promise<void> {
    await this.mailer.check();
  }

  async send({ id, recipient, body }: CarrierMessage): Promise<SendOutcome> {
    const text = [body, ADVICE].join('\n\n');
    const html = `<p>${escapedHtml(body)}</p><p>${ADVICE}</p>`;
    const outcome = await this.mailer.send({ id, to: recipient, subject: SUBJECT, text, html });
    switch (outcome.kind) {
      case 'sent':
        return { kind: 'accepted', carrierId: id };
      case 'refused':
        return { kind: 'refused', carrierError: replyCodeOf(outcome.cause) };
      case 'unavailable':
        return outcome;
    }
  }

  async close(): Promise<void> {
    this.mailer.onApplicationShutdown();
  }
}

/** Returns the reply code of the mail server (RFC 5321, section 4.2). */
function replyCodeOf(cause: unknown): number | null {
  if (!(cause instanceof Error) || !('responseCode' in cause)) return null;
  return typeof cause.responseCode === 'number' ? cause.responseCode : null;
}
