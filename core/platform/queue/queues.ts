import type { RequestContext } from '../telemetry/request-context.js';

/**
 * Every queue of the product, and what its jobs carry: ids, never copies, as the row in Postgres decides; and what they came of,
 * for logs and traces.
 */
export const queueNames = {
  dispatch: 'dispatch',
  mail: 'mail',
  webhooks: 'webhooks',
  creditsAdded: 'arrived-credits',
} as const;

/** One message to be handed to the carrier. The job's id is the message's id. */
export interface DispatchJob extends RequestContext {
  readonly messageId: string;
}

/** One e-mail to be sent. The job's id is the mail's id. */
export interface MailJob {
  readonly mailId: string;
}

/** One webhook to be delivered. The job's id is the delivery's id; the account says whose turn it is. */
export interface WebhookJob extends RequestContext {
  readonly deliveryId: string;
  readonly accountId: string;
}

/** Credits have come to an account: what was held for want of them may go. The job's id is the account's id. */
export interface CreditsAddedJob {
  readonly accountId: string;
}
