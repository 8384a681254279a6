/** An e-mail as it goes out. */
export interface OutgoingMail {
  /** Becomes the Message-ID: a mail that arrives twice is one to the recipient's program. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `refused`: for good. `unavailable`: not taken, or not surely taken; try later. */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly cause: unknown }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** Whoever takes our e-mails. */
export abstract class Mailer {
  /** Never throws: every failure is an outcome. */
  abstract send(mail: OutgoingMail): Promise<MailOutcome>;
}
