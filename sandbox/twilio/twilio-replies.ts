import type { ReplyPoster } from '../carriers/inbound.js';
import { channelOf, type Message, numberOf } from '../carriers/message.js';
import type { Poster } from '../outgoing.js';
import { mediaPath, newMessageSid } from './message-resource.js';
import { type TwilioSettings, signedHeaders } from './twilio-callbacks.js';

/** The product's webhook for replies. */
const INBOUND_PATH = '/webhooks/twilio/inbound';
/** Twilio retries once when no connection could be made. */
const CONNECTS_MAX = 2;
const XML_TYPES = ['text/xml', 'application/xml', 'text/html'];

export class TwilioReplies implements ReplyPoster {
  /** `apiOrigin` is the API's address for the product. */
  constructor(
    private readonly settings: TwilioSettings,
    private readonly apiOrigin: () => string,
  ) {}

  newId(hasMedia: boolean): string {
    return newMessageSid(hasMedia);
  }

  async post(poster: Poster, message: Message): Promise<{ status: number; problem: string | null }> {
    const fields = this.fields(message);
    const { authToken, productUrl, publicProductUrl } = this.settings;
    const headers = signedHeaders(authToken, publicProductUrl + INBOUND_PATH, fields);
    for (let connects = 1; ; connects++) {
      try {
        const body = new URLSearchParams(fields).toString();
        const { status, contentType, text } = await poster.post(productUrl + INBOUND_PATH, headers, body);
        return { status, problem: problemOf(status, contentType, text) };
      } catch (error) {
        const { code, message: reason } = error as NodeJS.ErrnoException;
        const isUnconnected = code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
        if (isUnconnected && connects < CONNECTS_MAX) continue;
        // A missing answer is a result: status 0.
        return { status: 0, problem: `11205: HTTP connection failure: ${reason || code}` };
      }
    }
  }

  private mediaFields(message: Message): Record<string, string> {
    const media = message.media ?? [];
    const fields: Record<string, string> = { NumMedia: String(media.length) };
    media.forEach(({ sid, type }, index) => {
      fields[`MediaUrl${index}`] = this.apiOrigin() + mediaPath(message, sid, this.settings.accountSid);
      fields[`MediaContentType${index}`] = type;
    });
    return fields;
  }

  // Fields as documented on Twilio's page about its request to your webhook URL.
  private fields(message: Message): Record<string, string> {
    return {
      AccountSid: this.settings.accountSid,
      ApiVersion: '2010-04-01',
      Body: message.body,
      From: message.from,
      MessageSid: message.sid,
      ...(message.messagingServiceSid === null ? {} : { MessagingServiceSid: message.messagingServiceSid }),
      ...this.mediaFields(message),
      NumSegments: String(message.segments),
      SmsMessageSid: message.sid,
      SmsSid: message.sid,
      SmsStatus: 'received',
      To: message.to,
      ...(channelOf(message) === 'whatsapp' ? whatsAppFields(message) : NO_PLACES),
    };
  }
}

const NO_PLACES = {
  FromCity: '',
  FromCountry: '',
  FromState: '',
  FromZip: '',
  ToCity: '',
  ToCountry: '',
  ToState: '',
  ToZip: '',
};

/** Fields of a message from a WhatsApp chat. */
function whatsAppFields({ from }: Message): Record<string, string> {
  return {
    MessageType: 'text',
    ProfileName: 'Sandbox',
    ReferralNumMedia: '0',
    WaId: numberOf(from).replace('+', ''),
  };
}

/**
 * The error that Twilio would log for an answer: not 2xx, not TwiML, or TwiML that the sandbox does
 * not execute.
 */
export function problemOf(status: number, contentType: string, text: string): string | null {
  if (status < 200 || status > 299) return `11200: HTTP retrieval failure: ${status}`;
  if (text.trim() === '') return null;
  const type = contentType.replace(/;.*$/s, '').trim().toLowerCase();
  if (!XML_TYPES.includes(type)) return `12300: Invalid Content-Type: ${type || 'none'}`;
  const document = text.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '').trim();
  return /^<Response\s*(\/>|>\s*<\/Response\s*>)$/.test(document) ? null : '12100: Document parse failure';
}
