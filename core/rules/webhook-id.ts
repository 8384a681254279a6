import { stringify } from 'uuid';

const PUBLIC_ID = /^msg_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/** The `webhook-id` that receivers see, the same on every attempt: 'msg_' and the UUIDv7's 32 hex digits. */
export function publicWebhookId(uuid: string): string {
  return `msg_${uuid.replaceAll('-', '')}`;
}

/** The UUID behind a `webhook-id`; undefined for a text of any other form. */
export function webhookIdFromPublic(text: string): string | undefined {
  return PUBLIC_ID.test(text) ? stringify(Buffer.from(text.slice(4), 'hex')) : undefined;
}
