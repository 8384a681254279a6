import { rfc2822 } from '../message-resource.js';
import { answeredBy, type Call, durationSeconds, hasEnded } from './call.js';

const NORTH_AMERICAN = /^\+1(\d{3})(\d{3})(\d{4})$/;

/** Names of the subresources and their last path segments. */
const SUBRESOURCES = {
  events: 'Events',
  notifications: 'Notifications',
  payments: 'Payments',
  recordings: 'Recordings',
  siprec: 'Siprec',
  streams: 'Streams',
  transcriptions: 'Transcriptions',
  user_defined_message_subscriptions: 'UserDefinedMessageSubscriptions',
  user_defined_messages: 'UserDefinedMessages',
} as const;

/** Twilio's Call resource. */
export function callResource(call: Call, accountSid: string) {
  const uri = `/2010-04-01/Accounts/${accountSid}/Calls/${call.sid}`;
  // A call that failed or found the number busy has no start of its own at Twilio either.
  const isDialed = call.status !== 'queued';
  return {
    account_sid: accountSid,
    annotation: null,
    answered_by: answeredBy(call),
    api_version: '2010-04-01',
    caller_name: null,
    date_created: rfc2822(call.createdAtMs),
    date_updated: rfc2822(call.updatedAtMs),
    direction: 'outbound-api',
    duration: hasEnded(call) ? String(durationSeconds(call)) : null,
    end_time: call.endedAtMs === null ? null : rfc2822(call.endedAtMs),
    forwarded_from: null,
    from: call.from,
    from_formatted: formatted(call.from),
    group_sid: null,
    parent_call_sid: null,
    phone_number_sid: null,
    price: null,
    price_unit: 'USD',
    queue_time: '0',
    sid: call.sid,
    start_time: isDialed ? rfc2822(call.answeredAtMs ?? call.createdAtMs) : null,
    status: call.status,
    subresource_uris: Object.fromEntries(
      Object.entries(SUBRESOURCES).map(([name, segment]) => [name, `${uri}/${segment}.json`]),
    ),
    to: call.to,
    to_formatted: formatted(call.to),
    trunk_sid: null,
    uri: `${uri}.json`,
  };
}

/** Twilio's display form: `(415) 555-2671` in North America, E.164 elsewhere. */
function formatted(number: string): string {
  const [, area, exchange, line] = NORTH_AMERICAN.exec(number) ?? [];
  return area === undefined ? number : `(${area}) ${exchange}-${line}`;
}
