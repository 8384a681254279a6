import type { Poster } from '../outgoing.js';
import type { Delivery } from './delivery.js';
import type { MediaBook, NewMedia } from './media.js';
import type { CarrierName, Message } from './message.js';
import type { MessageStore } from './message-store.js';
import type { NumberStore } from './numbers/number-store.js';
import type { OptOuts } from './opt-outs.js';
import { segmentCount } from './segments.js';

/** Posts replies to the product as a carrier does. */
export interface ReplyPoster {
  /** `hasMedia`: the message has files. */
  newId(hasMedia: boolean): string;
  /**
   * Returns the product's HTTP status, 0 without an answer, and the error that the carrier would
   * log.
   */
  post(poster: Poster, message: Message): Promise<{ readonly status: number; readonly problem: string | null }>;
}

/** A message that a phone sends. */
interface Reply {
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly files?: readonly NewMedia[] | undefined;
  readonly carrier?: CarrierName | undefined;
}

/** Number of messages searched for the carrier and the messaging service of a sender. */
const SENDER_SEARCH_MAX = 100;

/** A posted reply; `problem` is the error that the carrier would log, or null. */
interface PostedReply {
  readonly message: Message;
  readonly problem: string | null;
}

/** Posts replies signed to the product, and answers keywords. */
export class Inbound {
  constructor(
    private readonly store: MessageStore,
    private readonly optOuts: OptOuts,
    private readonly delivery: Delivery,
    private readonly carriers: Readonly<Record<CarrierName, ReplyPoster>>,
    private readonly poster: Poster,
    private readonly media: MediaBook,
    private readonly numbers: NumberStore,
  ) {}

  /**
   * Stores a reply, posts it and returns it with `productStatus` set: 0 when the product did not
   * answer. The default carrier is the result of `carrierOf`.
   */
  async receive({ from, to, body, files = [], carrier = this.carrierOf(from, to) }: Reply): Promise<PostedReply> {
    const message = this.add(carrier, 'inbound', from, to, body, files);
    const answer = this.optOuts.apply(from, to, body);
    if (answer !== null) this.delivery.accept(this.add(carrier, 'outbound-reply', to, from, answer));
    const { status, problem } = await this.carriers[carrier].post(this.poster, message);
    this.store.change(message, { productStatus: status, updatedAtMs: Date.now() });
    return { message, problem };
  }

  /**
   * Default carrier of a reply: the carrier where the product has bought the number, else the
   * carrier that last sent from the number, if possible to this phone, else Twilio.
   */
  carrierOf(phone: string, sender: string): CarrierName {
    const bought = this.numbers.carrierOf(sender);
    return bought ?? this.lastFrom(sender, phone)?.carrier ?? this.store.carrierOf(sender) ?? 'twilio';
  }

  private add(
    carrier: CarrierName,
    direction: 'inbound' | 'outbound-reply',
    from: string,
    to: string,
    body: string,
    files: readonly NewMedia[] = [],
  ) {
    const isInbound = direction === 'inbound';
    const [phone, sender] = isInbound ? [from, to] : [to, from];
    const sid = this.carriers[carrier].newId(files.length > 0);
    return this.store.add({
      carrier,
      direction,
      from,
      to,
      body,
      messagingServiceSid: this.lastFrom(sender, phone)?.messagingServiceSid ?? null,
      sid,
      segments: segmentCount(body),
      statusCallback: null,
      callbackPlan: 'never',
      fate: isInbound ? 'received' : 'delivered',
      createdAtMs: Date.now(),
      status: isInbound ? 'received' : 'queued',
      ...(files.length > 0 && { media: files.map((file) => this.media.add(sid, file)) }),
    });
  }

  /** The message that was last sent from the sender to this phone. */
  private lastFrom(sender: string, phone: string): Message | undefined {
    return this.store
      .of(phone)
      .slice(-SENDER_SEARCH_MAX)
      .findLast(({ from }) => from === sender);
  }
}
