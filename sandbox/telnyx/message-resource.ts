import type Telnyx from 'telnyx';
import type { DetailRecordListResponse } from 'telnyx/resources/detail-records.js';
import type { Message, MessageStatus } from '../carriers/message.js';
import type { MessageFile } from '../carriers/message-files.js';
import { isGsm } from '../carriers/segments.js';
import { errorTextOf, UNDELIVERED_CODE } from './telnyx-error.js';

/** The one messaging profile, and the account that owns it. */
export const PROFILE = {
  id: '83d2343b-553f-4c5b-b8c8-fd27004f94bf',
  name: 'Sandbox',
  organizationId: '9d76d591-1b7c-405d-8c64-1320ee070245',
} as const;

/** Telnyx's price of a part; fixed here. */
const PART_COST = { amount: '0.0040', currency: 'USD' } as const;

type OutboundMessage = Telnyx.MessagingOutboundMessagePayload;
type OutboundStatus = NonNullable<NonNullable<OutboundMessage['to']>[number]['status']>;

const statuses: Readonly<Record<Exclude<MessageStatus, 'received' | 'read'>, OutboundStatus>> = {
  accepted: 'queued',
  queued: 'queued',
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'delivery_failed',
  failed: 'sending_failed',
};

/** Formats an instant as Telnyx does: `2026-11-26T12:00:00.000+00:00`. */
function instant(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '+00:00');
}

function costOf({ segments }: Message) {
  return { amount: (segments * Number(PART_COST.amount)).toFixed(4), currency: PART_COST.currency };
}

/** Telnyx's resource of a message, in answers and in receipts of a status. */
export function messageResource(message: Message, status: MessageStatus = message.status): OutboundMessage {
  const isFailed = status === 'undelivered' || status === 'failed';
  const code = message.errorCode ?? UNDELIVERED_CODE;
  const isFinal = status === 'delivered' || isFailed;
  return {
    record_type: 'message',
    direction: 'outbound',
    id: message.sid,
    type: message.mediaUrls ? 'MMS' : 'SMS',
    organization_id: PROFILE.organizationId,
    messaging_profile_id: PROFILE.id,
    from: { phone_number: message.from, carrier: 'Telnyx', line_type: 'Wireless' },
    to: [
      {
        phone_number: message.to,
        status: status === 'received' || status === 'read' ? 'delivered' : statuses[status],
        carrier: 'Sandbox',
        line_type: 'Wireless',
      },
    ],
    cc: [],
    text: message.body,
    subject: null,
    media: (message.mediaUrls ?? []).map((url, index) => mediaOf(url, message.files?.[index])),
    webhook_url: message.statusCallback,
    webhook_failover_url: null,
    encoding: isGsm(message.body) ? 'GSM-7' : 'UCS-2',
    parts: message.segments,
    tags: [],
    cost: costOf(message),
    received_at: instant(message.createdAtMs),
    sent_at: message.sentAtMs === null ? null : instant(message.sentAtMs),
    completed_at: isFinal ? instant(message.updatedAtMs) : null,
    valid_until: null,
    errors: isFailed ? [{ code: String(code), title: errorTextOf(code) }] : [],
  };
}

/** The type and size are known once the file is fetched. */
function mediaOf(url: string, file: MessageFile | undefined) {
  return {
    url,
    content_type: file?.type ?? null,
    hash_sha256: file?.sha256 ?? null,
    size: file?.bytes ?? null,
  };
}

/** Path of Telnyx's files, which everyone who has the URL can read. */
export const MEDIA_PATH = '/telnyx-media/';

/** Payload of a reply's event. */
export function inboundResource(
  message: Message,
  keyword: 'STOP' | 'START' | 'HELP' | null,
  apiOrigin: string,
): Telnyx.MessagingInboundMessagePayload {
  return {
    record_type: 'message',
    direction: 'inbound',
    id: message.sid,
    type: message.media === undefined ? 'SMS' : 'MMS',
    organization_id: PROFILE.organizationId,
    messaging_profile_id: PROFILE.id,
    from: { phone_number: message.from, carrier: 'Sandbox', line_type: 'Wireless' },
    to: [{ phone_number: message.to, status: 'webhook_delivered', carrier: 'Telnyx', line_type: 'Wireless' }],
    cc: [],
    text: message.body,
    media: (message.media ?? []).map(({ sid, type }) => ({
      url: `${apiOrigin}${MEDIA_PATH}${sid}`,
      content_type: type,
    })),
    encoding: isGsm(message.body) ? 'GSM-7' : 'UCS-2',
    parts: message.segments,
    tags: [],
    cost: costOf(message),
    received_at: instant(message.createdAtMs),
    sent_at: null,
    completed_at: null,
    valid_until: null,
    errors: [],
    ...(keyword === null ? {} : { autoresponse_type: keyword }),
  };
}

type DetailRecord = DetailRecordListResponse.MessageDetailRecord;

const finalStatuses: Readonly<Partial<Record<MessageStatus, NonNullable<DetailRecord['status']>>>> = {
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  received: 'received',
};

/** Telnyx's detail record of a message; without a status until it is final. */
export function detailRecord(message: Message): DetailRecord {
  const final = finalStatuses[message.status];
  return {
    record_type: 'message_detail_record',
    uuid: message.sid,
    user_id: PROFILE.organizationId,
    profile_id: PROFILE.id,
    profile_name: PROFILE.name,
    direction: message.direction === 'inbound' ? 'inbound' : 'outbound',
    message_type: message.mediaUrls ? 'MMS' : 'SMS',
    cli: message.from,
    cld: message.to,
    created_at: instant(message.createdAtMs),
    updated_at: instant(message.updatedAtMs),
    ...(message.sentAtMs === null ? {} : { sent_at: instant(message.sentAtMs) }),
    ...(final === undefined ? {} : { status: final, completed_at: instant(message.updatedAtMs) }),
    ...(message.statusCallback === null ? {} : { delivery_status_webhook_url: message.statusCallback }),
    parts: message.segments,
    tags: '',
    rate: PART_COST.amount,
    cost: costOf(message).amount,
    currency: PART_COST.currency,
    errors: message.errorCode === null ? [] : [String(message.errorCode)],
  };
}
