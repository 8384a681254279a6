import type { CallbackSettings, Receipts } from './delivery.js';
import type { InboundPost } from './inbound-post.js';
import { type Message, newMessageSid } from './message.js';
import { type MessageStore, walk } from './message-store.js';
import { segmentCount } from './segments.js';

const OUT_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const IN_WORDS = new Set(['START', 'YES', 'UNSTOP']);
const HELP_WORDS = new Set(['HELP', 'INFO']);

const OUT_TEXT =
  'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.';
const IN_TEXT =
  'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe. Msg&Data Rates May Apply.';
const HELP_TEXT = 'Reply STOP to unsubscribe. Msg&Data Rates May Apply.';

/**
 * Opt-outs by phone and sender. Twilio handles them itself: it answers the keyword and rejects later messages with 21610
 * (Twilio's page "Twilio support for opt-out keywords", without Advanced Opt-Out).
 */
export class OptOuts {
  private readonly pairs = new Set<string>();

  /**
   * Applies a reply that consists of one of Twilio's keywords. Returns Twilio's answer, or null when the keyword changes
   * nothing or the text is not a keyword.
   */
  hear(phone: string, sender: string, body: string): string | null {
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
    return this.pairs.size > 0 && this.pairs.has(`${phone} ${sender}`);
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

/** Number of messages searched for the messaging service of a sender. */
const SERVICE_SEARCH_MAX = 100;

interface InboundParts {
  readonly store: MessageStore;
  readonly optOuts: OptOuts;
  readonly receipts: Receipts;
  readonly post: InboundPost;
  readonly settings: CallbackSettings;
}

/** A posted reply; `problem` is the error that Twilio would log, or null. */
interface TakenReply {
  readonly message: Message;
  readonly problem: string | null;
}

/** Posts replies to the product, and sends the answers of Twilio and the product back to the phone. */
export class Inbound {
  constructor(
    private readonly parts: InboundParts,
    private readonly now: () => number = Date.now,
  ) {}

  /** Stores a reply, posts it signed and returns it with `productStatus` set: 0 when the product did not answer. */
  async receive(from: string, to: string, body: string): Promise<TakenReply> {
    const { store, optOuts, post } = this.parts;
    const messagingServiceSid = this.serviceOf(from, to);
    const message = this.add({ direction: 'inbound', from, to, body, messagingServiceSid });
    const answer = optOuts.hear(from, to, body);
    if (answer !== null) this.reply(message, answer);
    const { status, problem, texts } = await post.send(this.fields(message));
    store.change(message, { productStatus: status, updatedAtMs: this.now() });
    // After STOP, Twilio does not send the product's answer (21610).
    if (!optOuts.has(from, to)) for (const text of texts) this.reply(message, text);
    return { message, problem };
  }

  async close(): Promise<void> {
    await this.parts.post.close();
  }

  private reply({ from: to, to: from, messagingServiceSid }: Message, body: string): void {
    this.parts.receipts.accept(this.add({ direction: 'outbound-reply', from, to, body, messagingServiceSid }));
  }

  private add(draft: Pick<Message, 'direction' | 'from' | 'to' | 'body' | 'messagingServiceSid'>): Message {
    const isInbound = draft.direction === 'inbound';
    return this.parts.store.add({
      ...draft,
      sid: newMessageSid(),
      segments: segmentCount(draft.body),
      statusCallback: null,
      callbackPlan: 'never',
      fate: isInbound ? 'received' : 'delivered',
      createdAtMs: this.now(),
      status: isInbound ? 'received' : 'queued',
    });
  }

  /** Finds the messaging service of the sender: the one that last sent from it to this phone. */
  private serviceOf(phone: string, sender: string): string | null {
    let looked = 0;
    for (const { from, messagingServiceSid } of walk(this.parts.store.ofPhone(phone), Infinity, 'older')) {
      if (from === sender) return messagingServiceSid;
      if (++looked === SERVICE_SEARCH_MAX) break;
    }
    return null;
  }

  // Fields as documented on Twilio's page about its request to your webhook URL.
  private fields(message: Message): Record<string, string> {
    return {
      AccountSid: this.parts.settings.accountSid,
      ApiVersion: '2010-04-01',
      Body: message.body,
      From: message.from,
      FromCity: '',
      FromCountry: countryOf(message.from),
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
      ToCountry: countryOf(message.to),
      ToState: '',
      ToZip: '',
    };
  }
}

// Twilio leaves the field empty for unknown countries.
const countries: readonly (readonly [string, string])[] = [
  ['+1', 'US'],
  ['+31', 'NL'],
  ['+33', 'FR'],
  ['+34', 'ES'],
  ['+351', 'PT'],
  ['+353', 'IE'],
  ['+352', 'LU'],
  ['+39', 'IT'],
  ['+44', 'GB'],
  ['+45', 'DK'],
  ['+48', 'PL'],
  ['+49', 'DE'],
  ['+61', 'AU'],
  ['+66', 'TH'],
  ['+91', 'IN'],
];

function countryOf(number: string): string {
  return countries.find(([prefix]) => number.startsWith(prefix))?.[1] ?? '';
}
