import { Poster } from '../outgoing.js';
import { type CallbackSettings, type Delivery, signedHeaders } from './delivery.js';
import { type Message, newMessageSid } from './message.js';
import type { MessageStore } from './message-store.js';
import { segmentCount } from './segments.js';

const OUT_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const IN_WORDS = new Set(['START', 'YES', 'UNSTOP']);
const HELP_WORDS = new Set(['HELP', 'INFO']);

const OUT_TEXT =
  'You have successfully been unsubscribed. You will not receive any more messages from this number. ' +
  'Reply START to resubscribe.';
const IN_TEXT =
  'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply ' +
  'STOP to unsubscribe. Msg&Data Rates May Apply.';
const HELP_TEXT = 'Reply STOP to unsubscribe. Msg&Data Rates May Apply.';

/**
 * Opt-outs by phone and sender. Twilio handles them itself: it answers the keyword and rejects
 * later messages with 21610 (Twilio's page "Twilio support for opt-out keywords", without Advanced
 * Opt-Out).
 */
export class OptOuts {
  private readonly pairs = new Set<string>();

  /**
   * Applies a reply that consists of one of Twilio's keywords. Returns Twilio's answer, or null
   * when the keyword changes nothing or the text is not a keyword.
   */
  apply(phone: string, sender: string, body: string): string | null {
    // Twilio leaves short codes and alphanumeric senders to their owners.
    if (!sender.startsWith('+')) return null;
    const word = body.trim().toUpperCase();
    const pair = `${phone} ${sender}`;
    if (OUT_WORDS.has(word)) {
      if (this.pairs.has(pair)) return null;
      this.pairs.add(pair);
      return OUT_TEXT;
    }
    if (IN_WORDS.has(word)) return this.pairs.delete(pair) ? IN_TEXT : null;
    return HELP_WORDS.has(word) && !this.pairs.has(pair) ? HELP_TEXT : null;
  }

  has(phone: string, sender: string): boolean {
    return this.pairs.has(`${phone} ${sender}`);
  }

  /** Lists the pairs as `phone sender`. */
  list(): string[] {
    return [...this.pairs];
  }

  restore(pairs: readonly string[]): void {
    for (const pair of pairs) this.pairs.add(pair);
  }

  clear(): void {
    this.pairs.clear();
  }
}

/** The product's webhook for replies. */
const INBOUND_PATH = '/webhooks/twilio/inbound';
/** Twilio retries once when no connection could be made. */
const CONNECTS_MAX = 2;
const XML_TYPES = ['text/xml', 'application/xml', 'text/html'];
/** Number of messages searched for the messaging service of a sender. */
const SERVICE_SEARCH_MAX = 100;

/** A posted reply; `problem` is the error that Twilio would log, or null. */
interface PostedReply {
  readonly message: Message;
  readonly problem: string | null;
}

/** Posts replies signed to the product, and answers Twilio's keywords. */
export class Inbound {
  private readonly poster = new Poster();

  constructor(
    private readonly store: MessageStore,
    private readonly optOuts: OptOuts,
    private readonly delivery: Delivery,
    private readonly settings: CallbackSettings,
  ) {}

  /**
   * Stores a reply, posts it and returns it with `productStatus` set: 0 when the product did not
   * answer.
   */
  async receive(from: string, to: string, body: string): Promise<PostedReply> {
    const message = this.add('inbound', from, to, body, this.serviceOf(from, to));
    const answer = this.optOuts.apply(from, to, body);
    if (answer !== null) {
      this.delivery.accept(this.add('outbound-reply', to, from, answer, message.messagingServiceSid));
    }
    const { status, problem } = await this.post(this.fields(message));
    this.store.change(message, { productStatus: status, updatedAtMs: Date.now() });
    return { message, problem };
  }

  async close(): Promise<void> {
    await this.poster.close();
  }

  private add(direction: 'inbound' | 'outbound-reply', from: string, to: string, body: string, service: string | null) {
    const isInbound = direction === 'inbound';
    return this.store.add({
      direction,
      from,
      to,
      body,
      messagingServiceSid: service,
      sid: newMessageSid(),
      segments: segmentCount(body),
      statusCallback: null,
      callbackPlan: 'never',
      fate: isInbound ? 'received' : 'delivered',
      createdAtMs: Date.now(),
      status: isInbound ? 'received' : 'queued',
    });
  }

  /** Finds the messaging service of the sender: the one that last sent from it to this phone. */
  private serviceOf(phone: string, sender: string): string | null {
    const recent = this.store.of(phone).slice(-SERVICE_SEARCH_MAX);
    return recent.findLast(({ from }) => from === sender)?.messagingServiceSid ?? null;
  }

  private async post(fields: Record<string, string>): Promise<{ status: number; problem: string | null }> {
    const { authToken, productUrl, publicProductUrl } = this.settings;
    const headers = signedHeaders(authToken, publicProductUrl + INBOUND_PATH, fields);
    for (let connects = 1; ; connects++) {
      try {
        const body = new URLSearchParams(fields).toString();
        const { status, contentType, text } = await this.poster.post(productUrl + INBOUND_PATH, headers, body);
        return { status, problem: problemOf(status, contentType, text) };
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        const isUnconnected = code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
        if (isUnconnected && connects < CONNECTS_MAX) continue;
        // A missing answer is a result: status 0.
        return { status: 0, problem: `11205: HTTP connection failure: ${message || code}` };
      }
    }
  }

  // Fields as documented on Twilio's page about its request to your webhook URL.
  private fields(message: Message): Record<string, string> {
    return {
      AccountSid: this.settings.accountSid,
      ApiVersion: '2010-04-01',
      Body: message.body,
      From: message.from,
      FromCity: '',
      FromCountry: '',
      FromState: '',
      FromZip: '',
      MessageSid: message.sid,
      ...(message.messagingServiceSid === null ? {} : { MessagingServiceSid: message.messagingServiceSid }),
      NumMedia: '0',
      NumSegments: String(message.segments),
      SmsMessageSid: message.sid,
      SmsSid: message.sid,
      SmsStatus: 'received',
      To: message.to,
      ToCity: '',
      ToCountry: '',
      ToState: '',
      ToZip: '',
    };
  }
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
