/** An email, ready to be sent. */
export interface OutgoingMail {
  /** Becomes the Message-ID, by which email clients recognize a duplicate. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `refused`: permanently. `unavailable`: not accepted, or the answer was lost; try later. */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly cause: unknown }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** Port to a mail server. */
export abstract class Mailer {
  /** Never throws: every failure is an outcome. */
  abstract send(mail: OutgoingMail): Promise<MailOutcome>;
}
