import type { MessageInstance, MessagePage } from 'twilio/lib/rest/api/v2010/account/message.js';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { limits } from '#contract/limits.js';
import type { Config } from '../../platform/config/config.js';
import {
  Carrier,
  type CarrierCapabilities,
  type CarrierFile,
  type CarrierInbox,
  type CarrierMedia,
  type CarrierMessage,
  type CarrierRecord,
  type CarrierRecords,
  type CarrierReply,
  type SendOutcome,
} from '../../carriers/carrier.js';
import { statusCallbackUrl } from '../../carriers/status-callback-url.js';
import { keepableText } from '../../rules/message-text.js';
import { TwilioClient } from './twilio-client.js';
import { carrierStatus, outcomeOfError, unlessNotFound } from './twilio-mapping.js';
import { mediaHeaders, type TwilioApi } from './twilio-media.js';

/** Maximum of files of one message in a list: Twilio takes ten. */
const FILES_MAX = 20;
const MEDIA_PATH = /\/Messages\/([A-Z]{2}[0-9a-f]{32})\/Media\/(ME[0-9a-f]{32})$/;
/** Maximum of messages of one number in a list. */
const LISTED_MAX = 1_000;
const PAGE_SIZE = 100;
/** Maximum of segments of a reply. */
const SEGMENTS_MAX = 1_000;
const MESSAGING_SERVICE_PREFIX = 'MG';
const MESSAGE_SID = /^[A-Z]{2}[0-9a-f]{32}$/;
const API_URL = 'https://api.twilio.com';

/** Twilio Programmable Messaging as the carrier, through Twilio's SDK. */
export class TwilioCarrier extends Carrier implements CarrierRecords, CarrierInbox, CarrierMedia {
  readonly name = 'twilio';
  readonly number = carrierNumbers.twilio;
  readonly capabilities: CarrierCapabilities = { records: this, inbox: this, media: this };
  override readonly carriesMedia = true;
  readonly completeAfterMs = 0;
  private readonly connection: TwilioClient;
  private readonly client: TwilioClient['account'];
  private readonly publicUrl: string;
  private readonly api: TwilioApi;

  constructor(config: Config) {
    super();
    const { accountSid, authToken, apiUrl } = config.twilio;
    this.connection = new TwilioClient(config);
    this.client = this.connection.account;
    this.publicUrl = config.http.publicUrl;
    this.api = { url: apiUrl ?? API_URL, accountSid, authToken };
  }

  async check(): Promise<void> {
    await this.client.messages.page({ pageSize: 1 });
  }

  async send(carried: CarrierMessage): Promise<SendOutcome> {
    const { recipient, sender, body, validSeconds, mediaUrls = [] } = carried;
    try {
      const message = await this.client.messages.create({
        to: recipient,
        // Twilio takes no empty text; a message with files needs none.
        ...(body !== '' && { body }),
        ...(mediaUrls.length > 0 && { mediaUrl: [...mediaUrls] }),
        ...(sender.startsWith(MESSAGING_SERVICE_PREFIX) ? { messagingServiceSid: sender } : { from: sender }),
        statusCallback: statusCallbackUrl(this.publicUrl, this.name, carried),
        ...(typeof validSeconds === 'number' && { validityPeriod: validityPeriodOf(validSeconds) }),
      });
      if (!MESSAGE_SID.test(message.sid)) return { kind: 'unknown', cause: new Error('The response names no message') };
      return { kind: 'accepted', carrierId: message.sid };
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  async find(carrierId: string): Promise<CarrierRecord | undefined> {
    const found = await unlessNotFound(this.client.messages(carrierId).fetch());
    return found && recordOf(found);
  }

  /**
   * Twilio lists newest first. Uses no DateSent filter, because a message that Twilio has not sent
   * yet has no such date.
   */
  async listTo(recipient: string, since: Date): Promise<CarrierRecord[]> {
    const records: CarrierRecord[] = [];
    let page: Pick<MessagePage, 'instances' | 'nextPageUrl' | 'nextPage'> | undefined = await this.client.messages.page(
      { to: recipient, pageSize: PAGE_SIZE },
    );
    while (page) {
      const recent = page.instances.filter(({ dateCreated }) => dateCreated >= since);
      records.push(...recent.filter(({ direction }) => direction !== 'inbound').map(recordOf));
      if (recent.length < page.instances.length || records.length >= LISTED_MAX || !page.nextPageUrl) break;
      page = await page.nextPage();
    }
    return records.reverse();
  }

  /** Incoming messages have a DateSent at once, so Twilio filters by it. */
  async listReplies(number: string, since: Date): Promise<CarrierReply[]> {
    const found = await this.client.messages.list({
      to: number,
      dateSentAfter: since,
      pageSize: PAGE_SIZE,
      limit: LISTED_MAX,
    });
    return found
      .filter(({ direction }) => direction === 'inbound')
      .map(replyOf)
      .reverse();
  }

  async listFiles(carrierId: string): Promise<CarrierFile[]> {
    const found = await unlessNotFound(this.client.messages(carrierId).media.list({ limit: FILES_MAX }));
    return (found ?? []).map(({ uri, contentType }) => ({
      url: `${this.api.url}${uri.replace(/\.json$/, '')}`,
      type: contentType,
    }));
  }

  headersFor(url: URL): Record<string, string> | undefined {
    return mediaHeaders(url, this.api);
  }

  deleteFile = async (url: URL): Promise<void> => {
    const [, messageSid, mediaSid] = MEDIA_PATH.exec(url.pathname) ?? [];
    if (messageSid === undefined || mediaSid === undefined) return;
    await unlessNotFound(this.client.messages(messageSid).media(mediaSid).remove());
  };

  async close(): Promise<void> {
    await this.connection.close();
  }
}

/** Rounds to whole seconds, at least one, as Twilio wants them. */
function validityPeriodOf(seconds: number): number {
  return Math.min(limits.validitySecondsMax, Math.max(1, Math.ceil(seconds)));
}

function replyOf(message: MessageInstance): CarrierReply {
  const { sid, from, to, messagingServiceSid, body, numSegments, numMedia, dateCreated } = message;
  return {
    carrierId: sid,
    sender: from,
    recipient: to,
    service: messagingServiceSid ?? undefined,
    text: keepableText(body),
    segments: Math.min(SEGMENTS_MAX, Math.max(1, Math.floor(Number(numSegments)) || 1)),
    files: Number(numMedia) || 0,
    createdAt: dateCreated,
  };
}

function recordOf(message: MessageInstance): CarrierRecord {
  return {
    carrierId: message.sid,
    sender: message.messagingServiceSid ?? message.from,
    chosenNumber: message.messagingServiceSid ? message.from : null,
    body: message.body ?? '',
    files: Number(message.numMedia ?? 0),
    createdAt: message.dateCreated,
    status: carrierStatus(message.status),
    carrierError: message.errorCode,
  };
}
