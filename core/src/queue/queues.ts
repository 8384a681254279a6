/** Every queue of the product, and what its jobs carry: ids, never copies, as the row in Postgres decides. */
export const queueNames = { dispatch: 'dispatch', mail: 'mail' } as const;

/** One message to be handed to the carrier. The job's id is the message's id. */
export interface DispatchJob {
  readonly messageId: string;
}

/** One e-mail to be sent. The job's id is the mail's id. */
export interface MailJob {
  readonly mailId: string;
}
