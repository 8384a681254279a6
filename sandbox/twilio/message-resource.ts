import type { Message } from './message.js';
import { rfc2822 } from './rfc2822.js';
import { UNDELIVERED_CODE, UNDELIVERED_TEXT } from './twilio-error.js';

/** A message as Twilio's Message resource, already as JSON text: creates are many, and this costs a quarter of JSON.stringify. */
export function messageJson(message: Message, accountSid: string): string {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}`;
  // A messaging service has not chosen the sender yet when it answers `accepted`, nor counted segments.
  const undecided = message.status === 'accepted';
  const errorText = message.errorCode === UNDELIVERED_CODE ? `"${UNDELIVERED_TEXT}"` : 'null';
  return (
    `{"account_sid":"${accountSid}","api_version":"2010-04-01","body":${JSON.stringify(message.body)},` +
    `"date_created":"${rfc2822(message.createdAtMs)}",` +
    `"date_sent":${message.sentAtMs === null ? 'null' : `"${rfc2822(message.sentAtMs)}"`},` +
    `"date_updated":"${rfc2822(message.updatedAtMs)}","direction":"${message.direction}",` +
    `"error_code":${message.errorCode},"error_message":${errorText},` +
    `"from":${undecided ? 'null' : JSON.stringify(message.from)},` +
    `"messaging_service_sid":${message.messagingServiceSid === null ? 'null' : `"${message.messagingServiceSid}"`},` +
    `"num_media":"0","num_segments":"${undecided ? 0 : message.segments}","price":null,"price_unit":"USD",` +
    `"sid":"${message.sid}","status":"${message.status}","subresource_uris":{"media":"${uri}/Media.json"},` +
    `"to":${JSON.stringify(message.to)},"uri":"${uri}.json"}`
  );
}
