import type { MessageInstance } from 'twilio/lib/rest/api/v2010/account/message.js';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { statusCallbackUrl } from '../../carriers/status-callback-url.js';
import {
  Carrier,
  type CarrierCapabilities,
  type CarrierMessage,
  type CarrierRecord,
  type CarrierRecords,
  type SendOutcome,
} from '../../carriers/carrier.js';
import type { Config } from '../../platform/config/config.js';
import { TwilioClient } from './twilio-client.js';
import { carrierStatus, outcomeOfError, unlessNotFound } from './twilio-mapping.js';

const PAGE_SIZE = 100;
const MESSAGE_SID = /^[A-Z]{2}[0-9a-f]{32}$/;
/** A code in the text that WhatsApp made of a template: no word of a template is in capitals. */
const CODE = /\b[0-9A-Z]{4,10}\b/;

/**
 * WhatsApp as the carrier of one-time passwords, through Twilio's Programmable Messaging. The text of a
 * message is its code, the variable `{{1}}` of an approved authentication template
 * (https://www.twilio.com/docs/content/overview).
 */
export class WhatsAppCarrier extends Carrier implements CarrierRecords {
  readonly name = 'whatsapp';
  readonly number = carrierNumbers.whatsapp;
  readonly capabilities: CarrierCapabilities = { records: this, inbox: undefined };
  readonly completeAfterMs = 0;
  private readonly connection: TwilioClient;
  private readonly client: TwilioClient['account'];

  constructor(private readonly config: Config) {
    super();
    this.connection = new TwilioClient(config);
    this.client = this.connection.account;
  }

  async check(): Promise<void> {
    await this.client.messages.page({ pageSize: 1 });
  }

  async send(carried: CarrierMessage): Promise<SendOutcome> {
    const { recipient, sender, body } = carried;
    const { whatsAppTemplate } = this.config.twilio;
    if (whatsAppTemplate === undefined) throw new Error('TWILIO_WHATSAPP_TEMPLATE is not set');
    try {
      const message = await this.client.messages.create({
        to: recipient,
        from: sender,
        contentSid: whatsAppTemplate,
        contentVariables: JSON.stringify({ 1: body }),
        statusCallback: statusCallbackUrl(this.config.http.publicUrl, this.name, carried),
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

  /** Twilio lists newest first; a recipient gets few codes, so one page has them. */
  async listTo(recipient: string, since: Date): Promise<CarrierRecord[]> {
    const { instances } = await this.client.messages.page({ to: recipient, pageSize: PAGE_SIZE });
    return instances
      .filter(({ dateCreated, direction }) => dateCreated >= since && direction !== 'inbound')
      .map(recordOf)
      .reverse();
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}

function recordOf({ sid, from, body, dateCreated, status, errorCode }: MessageInstance): CarrierRecord {
  return {
    carrierId: sid,
    sender: from,
    chosenNumber: null,
    body: CODE.exec(body ?? '')?.[0] ?? '',
    createdAt: dateCreated,
    status: carrierStatus(status),
    carrierError: errorCode,
  };
}
