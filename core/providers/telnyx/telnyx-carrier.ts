import { z } from 'zod';
import { carrierNumbers } from '#contract/carrier-codes.js';
import type { TelnyxConfig } from '../../platform/config/config.js';
import {
  Carrier,
  type CarrierCapabilities,
  type CarrierMedia,
  type CarrierMessage,
  type CarrierRecord,
  type CarrierRecords,
  type SendOutcome,
} from '../../carriers/carrier.js';
import { namedByStatusUrl, statusCallbackUrl } from '../../carriers/status-callback-url.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { TELNYX_URL, TelnyxApi, TelnyxFailure } from './telnyx-api.js';
import { mediaHeaders } from './telnyx-media.js';
import { carrierCode, carrierStatus, outcomeOfError, telnyxCost } from './telnyx-mapping.js';

/** Maximum of records of one number in a list. */
const LISTED_MAX = 1_000;
const NOT_FOUND = 404;
/** Maximum of Telnyx. */
const PAGE_SIZE = 50;
/**
 * Telnyx searches its detail records apart from sending, and gives no bound for their delay. It
 * posts a message's first receipt within seconds, so most doubts end earlier.
 */
const COMPLETE_AFTER_MS = 10 * 60_000;

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const sentMessage = z.object({ data: z.object({ id: z.guid() }) });

/** The fields that we use of a message, by Telnyx's API description. */
const storedMessage = z.object({
  data: z.object({
    id: z.guid(),
    from: z.object({ phone_number: z.string() }),
    to: z.array(z.object({ status: z.string() })).min(1),
    text: z.string().nullish(),
    errors: z.array(z.object({ code: z.unknown() })).nullish(),
    webhook_url: z.string().nullish(),
    cost: telnyxCost,
    received_at: instant,
  }),
});

/**
 * The fields that we use of a detail record of a message. A record without a status is not final.
 */
const detailRecord = z.object({
  uuid: z.guid(),
  cli: z.string(),
  direction: z.string(),
  status: z.string().nullish(),
  errors: z.array(z.unknown()).nullish(),
  delivery_status_webhook_url: z.string().nullish(),
  created_at: instant,
});
const detailRecords = z.object({ data: z.array(detailRecord), meta: z.object({ total_pages: z.number() }) });

/**
 * Telnyx Messaging as a carrier. Our id stands in the URL for receipts, which every receipt,
 * message and detail record gives back; the `tags` of the API description belong to the sending
 * number. A request has no field for a validity, so `validSeconds` has no effect at Telnyx.
 * Incoming messages can be listed only without their texts, so there is no inbox.
 */
export class TelnyxCarrier extends Carrier implements CarrierRecords, CarrierMedia {
  readonly name = 'telnyx';
  readonly number = carrierNumbers.telnyx;
  readonly capabilities: CarrierCapabilities = { records: this, inbox: undefined, media: this };
  readonly completeAfterMs = COMPLETE_AFTER_MS;
  override readonly carriesMedia = true;
  private readonly api: TelnyxApi;
  private readonly apiUrl: string;

  constructor(
    config: TelnyxConfig,
    private readonly publicUrl: string,
    timeoutMs: number,
  ) {
    super();
    this.api = new TelnyxApi(config, timeoutMs);
    this.apiUrl = config.apiUrl ?? TELNYX_URL;
  }

  async check(): Promise<void> {
    await this.api.call('GET', '/messaging_profiles', { 'page[size]': '1' });
  }

  async send(message: CarrierMessage): Promise<SendOutcome> {
    const { recipient, sender, body, mediaUrls = [] } = message;
    try {
      const answer = await this.api.call(
        'POST',
        '/messages',
        {},
        {
          from: sender,
          to: recipient,
          ...(body !== '' && { text: body }),
          ...(mediaUrls.length > 0 ? { type: 'MMS', media_urls: mediaUrls } : { type: 'SMS' }),
          webhook_url: statusCallbackUrl(this.publicUrl, this.name, message),
        },
      );
      const sent = sentMessage.safeParse(answer);
      if (!sent.success) return { kind: 'unknown', cause: new Error('The response names no message') };
      return { kind: 'accepted', carrierId: sent.data.data.id };
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  async find(carrierId: string): Promise<CarrierRecord | undefined> {
    try {
      const answer = await this.api.call('GET', `/messages/${encodeURIComponent(carrierId)}`);
      return recordOfMessage(storedMessage.parse(answer).data);
    } catch (error) {
      if (error instanceof TelnyxFailure && error.status === NOT_FOUND) return undefined;
      throw error;
    }
  }

  /**
   * The list is asked for newest first, and for a whole day, because Telnyx's filter takes no time
   * of day.
   */
  async listTo(recipient: string, since: Date): Promise<CarrierRecord[]> {
    const records: CarrierRecord[] = [];
    for (let [page, pages] = [1, 1]; page <= pages; page += 1) {
      const answer = await this.api.call('GET', '/detail_records', {
        'filter[record_type]': 'messaging',
        'filter[direction]': 'outbound',
        'filter[cld]': recipient,
        'filter[created_at][gte]': since.toISOString().slice(0, 'YYYY-MM-DD'.length),
        sort: '-created_at',
        'page[size]': String(PAGE_SIZE),
        'page[number]': String(page),
      });
      const { data, meta } = detailRecords.parse(answer);
      for (const record of data) {
        if (records.length >= LISTED_MAX) return records.reverse();
        if (record.created_at >= since && record.direction === 'outbound') records.push(recordOfDetail(record));
      }
      const isEnd = data.length === 0 || data.some(({ created_at: at }) => at < since);
      pages = isEnd ? page : meta.total_pages;
    }
    return records.reverse();
  }

  headersFor(url: URL): Record<string, string> | undefined {
    return mediaHeaders(url, this.apiUrl);
  }

  /** Telnyx deletes files by itself: its API has no call for it. */
  readonly deleteFile = undefined;

  async close(): Promise<void> {
    await this.api.close();
  }
}

function recordOfMessage(message: z.infer<typeof storedMessage>['data']): CarrierRecord {
  return {
    carrierId: message.id,
    ...named(message.webhook_url),
    sender: message.from.phone_number,
    chosenNumber: null,
    body: message.text ?? '',
    createdAt: message.received_at,
    status: carrierStatus(message.to[0]?.status ?? ''),
    carrierError: carrierCode(message.errors?.[0]?.code),
    costMicrousd: message.cost,
  };
}

function recordOfDetail(record: z.infer<typeof detailRecord>): CarrierRecord {
  return {
    carrierId: record.uuid,
    ...named(record.delivery_status_webhook_url),
    sender: record.cli,
    chosenNumber: null,
    body: null,
    createdAt: record.created_at,
    status: carrierStatus(record.status ?? ''),
    carrierError: carrierCode(record.errors?.[0]),
  };
}

/** Our id, from the URL for receipts. */
function named(url: string | null | undefined): Pick<CarrierRecord, 'messageId'> {
  return { messageId: messageIdFromPublic(namedByStatusUrl(url ?? '')?.messageId ?? '') };
}
