import { Webhook } from 'standardwebhooks';

interface SignedParts {
  readonly webhookId: string;
  readonly body: string;
  readonly at: Date;
  /** `whsec_…`; more than one while a secret is being replaced: the receiver takes a body that any of them has signed. */
  readonly secrets: readonly string[];
}

/** The headers of Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). */
export function signatureHeaders({ webhookId, body, at, secrets }: SignedParts): Record<string, string> {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(webhookId, at, body)).join(' '),
  };
}
