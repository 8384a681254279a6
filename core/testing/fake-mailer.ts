import { Mailer, type MailOutcome, type OutgoingMail } from '../mail/mailer.js';

/** A mail server in memory. Takes everything, unless the next outcomes differ. */
export class FakeMailer extends Mailer {
  /** Every mail that was brought, in order. */
  readonly brought: OutgoingMail[] = [];
  private outcomes: MailOutcome[] = [];

  next(...outcomes: MailOutcome[]): void {
    this.outcomes.push(...outcomes);
  }

  async send(mail: OutgoingMail): Promise<MailOutcome> {
    this.brought.push(mail);
    return this.outcomes.shift() ?? { kind: 'sent' };
  }
}
