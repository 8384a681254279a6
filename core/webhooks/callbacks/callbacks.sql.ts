import type { CallbackFormat } from '#contract/webhooks.js';
import type { EncryptedText } from '../../platform/crypto/encryption.js';
import { LOST_AFTER_SECONDS } from '../deliveries/deliveries.repository.js';

/** A URL that is called about one message, in the format of the API that named it. */
export interface MessageCallback {
  readonly format: CallbackFormat;
  readonly url: string;
  /** Textbelt's `webhookData`, which replies carry. */
  readonly data: string | null;
  /** The API key of the request: it signs the calls. */
  readonly keyHash: Buffer;
  readonly secret: EncryptedText;
}

/**
 * A part of the statement that updates messages: inserts the deliveries of status callbacks.
 * `moved` names the changed messages, with the id that a delivery would get as `delivery_id`. One
 * index lookup per message, in a table that is empty unless callbacks are used.
 */
export const insertStatusDeliveries = (moved: string) => `
  INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, format, url, key_hash, due_at)
  SELECT m.delivery_id, m.account_id, 'message.' || m.status, m.id,
    json_build_object('message_id', m.id, 'to', m.recipient, 'from', m.sender, 'status', m.status,
      'error_code', m.error_code,
      'carrier_error', m.carrier_error),
    c.format, c.url, c.key_hash, now() + interval '${LOST_AFTER_SECONDS} seconds'
  FROM ${moved} m JOIN message_callbacks c ON c.message_id = m.id
  WHERE c.format = 'twilio'
  ON CONFLICT (type, source_id, format) DO NOTHING
  RETURNING id`;

/** SQL condition of a reply `r` that has a callback. */
export const hasReplyCallback = (r: string) =>
  `EXISTS (SELECT FROM message_callbacks c WHERE c.account_id = ${r}.account_id AND c.recipient = ` +
  `${r}.sender AND c.format = 'textbelt')`;
