import { type CarrierName, channelOf, type Message, type MessageChange, type NewMessage } from './message.js';

/** Bound on stored messages. The oldest tenth is dropped when it is exceeded. */
export const MESSAGES_KEPT_MAX = 400_000;

/** Observes changes of messages. */
export interface MessageWatcher {
  added(message: Message): void;
  changed(message: Message): void;
  cleared(): void;
}

/** Iterates from the message before `cursor` (a sequence, exclusive) to the oldest message. */
export function* older(list: readonly Message[], cursor = Infinity): Generator<Message> {
  for (let index = firstFrom(list, cursor) - 1; index >= 0; index--) {
    const message = list[index];
    if (message !== undefined) yield message;
  }
}

/** Returns the messages after `cursor` (a sequence, exclusive), oldest first. */
export function newer(list: readonly Message[], cursor: number): Message[] {
  return list.slice(firstFrom(list, cursor + 1));
}

/** Returns the position of the first message with at least this sequence, or the list's length. */
function firstFrom(list: readonly Message[], sequence: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle]?.sequence ?? Infinity) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The newest messages in memory, indexed by sid, by number and in order of arrival. */
export class MessageStore {
  private messages: Message[] = [];
  private readonly bySid = new Map<string, Message>();
  private readonly byNumber = new Map<string, Message[]>();
  /** Carriers by the product's number, as long as the sandbox runs. */
  private readonly bySender = new Map<string, CarrierName>();
  private readonly watchers: MessageWatcher[] = [];
  private nextSequence = 1;
  private outboundTotal = 0;

  constructor(private readonly keptMax = MESSAGES_KEPT_MAX) {}

  /** All messages in order of arrival. */
  get all(): readonly Message[] {
    return this.messages;
  }

  /**
   * Number of SMS messages accepted from the product since the last `clear`, including dropped ones.
   */
  get outboundCount(): number {
    return this.outboundTotal;
  }

  watch(watcher: MessageWatcher): void {
    this.watchers.push(watcher);
  }

  get(sid: string): Message | undefined {
    return this.bySid.get(sid);
  }

  /** Messages to a number and replies from it, in order of arrival: the thread of a phone. */
  of(number: string): readonly Message[] {
    return this.byNumber.get(number) ?? [];
  }

  /** The carrier that last sent from a number of the product. */
  carrierOf(sender: string): CarrierName | undefined {
    return this.bySender.get(sender);
  }

  add(draft: NewMessage, change: MessageChange = {}): Message {
    const message: Message = {
      updatedAtMs: draft.createdAtMs,
      sentAtMs: null,
      errorCode: null,
      productStatus: null,
      ...draft,
      ...change,
      sequence: this.nextSequence++,
    };
    this.bySid.set(message.sid, message);
    this.messages.push(message);
    this.index(message.to, message);
    if (message.direction === 'inbound') this.index(message.from, message);
    if (message.direction === 'outbound-api' && channelOf(message) === 'sms') {
      this.outboundTotal += 1;
      this.bySender.set(message.from, message.carrier);
    }
    if (this.messages.length > this.keptMax) this.dropOldest();
    for (const watcher of this.watchers) watcher.added(message);
    return message;
  }

  change(message: Message, change: MessageChange): void {
    Object.assign(message, change);
    for (const watcher of this.watchers) watcher.changed(message);
  }

  /** Deletes all messages and returns their number. */
  clear(): number {
    const count = this.messages.length;
    this.messages = [];
    this.bySid.clear();
    this.byNumber.clear();
    this.bySender.clear();
    this.outboundTotal = 0;
    for (const watcher of this.watchers) watcher.cleared();
    return count;
  }

  private index(number: string, message: Message): void {
    const list = this.byNumber.get(number);
    if (list === undefined) this.byNumber.set(number, [message]);
    else list.push(message);
  }

  private dropOldest(): void {
    const dropped = this.messages.splice(0, Math.ceil(this.keptMax / 10));
    const first = this.messages[0]?.sequence ?? Infinity;
    for (const { sid } of dropped) this.bySid.delete(sid);
    for (const number of new Set(dropped.flatMap(({ from, to }) => [from, to]))) {
      const rest = newer(this.of(number), first - 1);
      if (rest.length === 0) this.byNumber.delete(number);
      else this.byNumber.set(number, rest);
    }
  }
}
