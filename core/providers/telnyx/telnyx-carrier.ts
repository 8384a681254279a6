import Telnyx, { NotFoundError } from 'telnyx';
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
} from '../../messages/routes/carrier.js';
import { namedByStatusUrl, statusCallbackUrl } from '../../messages/routes/status-callback-url.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { ConnectionPools } from '../connection-pools.js';
import { TELNYX_URL } from './telnyx-api.js';
import { mediaHeaders } from './telnyx-media.js';
import { carrierCode, carrierStatus, NoAnswer, outcomeOfError, telnyxCost } from './telnyx-mapping.js';

/** Records of one number that a list returns at most. */
const LISTED_MAX = 1_000;
/** The maximum of Telnyx. */
const PAGE_SIZE = 50;
/**
 * Telnyx searches its detail records apart from sending, and gives no bound for their delay. It posts
 * a message's first receipt within seconds, so that most doubts end before.
 */
const COMPLETE_AFTER_MS = 10 * 60_000;

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The fields that we use of a message, by Telnyx's API description. */
const storedMessage = z.object({
  id: z.guid(),
  from: z.object({ phone_number: z.string() }),
  to: z.array(z.object({ status: z.string() })).min(1),
  text: z.string().nullish(),
  errors: z.array(z.object({ code: z.unknown() })).nullish(),
  webhook_url: z.string().nullish(),
  cost: telnyxCost,
  received_at: instant,
});

/** The fields that we use of a detail record of a message. A record without a status is not final. */
const detailRecord = z.object({
  uuid: z.guid(),
  cli: z.string(),
  direction: z.string(),
  status: z.string().nullish(),
  errors: z.array(z.unknown()).nullish(),
  delivery_status_webhook_url: z.string().nullish(),
  created_at: instant,
});

/**
 * Telnyx Messaging as a carrier, through Telnyx's SDK. Our id stands in the URL for receipts, which
 * every receipt, message and detail record gives back; what the API description calls `tags` are
 * those of the sending number. A request has no field for a validity, so that `validSeconds` has no
 * effect at Telnyx. Incoming messages can be listed without their texts only, so that there is no inbox.
 */
export class TelnyxCarrier extends Carrier implements CarrierRecords, CarrierMedia {
  readonly name = 'telnyx';
  readonly number = carrierNumbers.telnyx;
  readonly capabilities: CarrierCapabilities = { records: this, inbox: undefined, media: this };
  readonly completeAfterMs = COMPLETE_AFTER_MS;
  override readonly carriesMedia = true;
  private readonly pools: ConnectionPools;
  private readonly client: Telnyx;
  private readonly apiUrl: string;

  constructor(
    { apiKey, apiUrl }: TelnyxConfig,
    private readonly publicUrl: string,
    timeoutMs: number,
  ) {
    super();
    this.pools = new ConnectionPools(timeoutMs);
    this.apiUrl = apiUrl ?? TELNYX_URL;
    this.client = new Telnyx({
      apiKey,
      baseURL: `${apiUrl ?? TELNYX_URL}/v2`,
      publicKey: null,
      clientID: null,
      clientSecret: null,
      // A request that is repeated without a look-up is a second message.
      maxRetries: 0,
      // The pools end a request first.
      timeout: 2 * timeoutMs,
      logLevel: 'off',
      fetch: (input, init) => this.fetch(input, init),
    });
  }

  async check(): Promise<void> {
    await this.client.messagingProfiles.list({ 'page[size]': 1 });
  }

  async send(message: CarrierMessage): Promise<SendOutcome> {
    const { recipient, sender, body, mediaUrls = [] } = message;
    try {
      const { data } = await this.client.messages.send({
        from: sender,
        to: recipient,
        ...(body !== '' && { text: body }),
        ...(mediaUrls.length > 0 ? { type: 'MMS' as const, media_urls: [...mediaUrls] } : { type: 'SMS' as const }),
        webhook_url: statusCallbackUrl(this.publicUrl, this.name, message),
      });
      const id = z.guid().safeParse(data?.id);
      if (!id.success) return { kind: 'unknown', cause: new Error('The response names no message') };
      return { kind: 'accepted', carrierId: id.data };
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  async find(carrierId: string): Promise<CarrierRecord | undefined> {
    try {
      const { data } = await this.client.messages.retrieve(carrierId);
      return recordOfMessage(storedMessage.parse(data));
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** Newest first at Telnyx, whose filter takes a day. */
  async listTo(recipient: string, since: Date): Promise<CarrierRecord[]> {
    const records: CarrierRecord[] = [];
    const found = this.client.detailRecords.list({
      filter: {
        record_type: 'messaging',
        direction: 'outbound',
        cld: recipient,
        created_at: { gte: since.toISOString().slice(0, 'YYYY-MM-DD'.length) },
      },
      sort: ['-created_at'],
      'page[size]': PAGE_SIZE,
    });
    for await (const one of found) {
      const record = detailRecord.parse(one);
      if (record.created_at < since || records.length >= LISTED_MAX) break;
      if (record.direction === 'outbound') records.push(recordOfDetail(record));
    }
    return records.reverse();
  }

  headersFor(url: URL): Record<string, string> | undefined {
    return mediaHeaders(url, this.apiUrl);
  }

  /** Telnyx deletes them by itself: its API has no call for it. */
  readonly deleteFile = undefined;

  async close(): Promise<void> {
    await this.pools.close();
  }

  /** The SDK's own client is Node's `fetch`, which is slower than the pools and has no bound for a body. */
  private async fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const { method = 'GET', headers, body } = init;
    const request = {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? body : null,
    };
    const answer = await this.pools
      .request(new URL(input instanceof Request ? input.url : input), request)
      .catch((failure: unknown) => {
        throw new NoAnswer(failure);
      });
    const given = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    // These statuses have no body.
    const text = [204, 205, 304].includes(answer.statusCode) ? null : answer.text;
    return new Response(text, { status: answer.statusCode, headers: given });
  }
}

function recordOfMessage(message: z.infer<typeof storedMessage>): CarrierRecord {
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
