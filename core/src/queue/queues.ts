/** Every queue of the product, and what its jobs carry: ids, never copies, as the row in Postgres decides. */
export const queueNames = { dispatch: 'dispatch', mail: 'mail', webhooks: 'webhooks' } as const;

/** One message to be handed to the carrier. The job's id is the message's id. */
export interface DispatchJob {
  readonly messageId: string;
}

/** One e-mail to be sent. The job's id is the mail's id. */
export interface MailJob {
  readonly mailId: string;
}

/** One webhook to be delivered. The job's id is the delivery's id; the account says whose turn it is. */
export interface WebhookJob {
  readonly deliveryId: string;
  readonly accountId: string;
}
