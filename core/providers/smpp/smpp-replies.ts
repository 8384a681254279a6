import { randomUUID } from 'node:crypto';
import type { IncomingReply } from '../../inbound/opt-outs.js';
import type { SmppBindConfig } from '../../platform/config/smpp-binds.js';
import type { Postgres } from '../../platform/database/postgres.js';
import type { Logger } from '../../platform/telemetry/logger.js';
import { parseRecipient } from '../../rules/phone-numbers.js';
import { type JoinedReply, LongReplies } from './long-replies.js';
import type { ReplySegment } from './reply-segments.js';
import { isShortCode, numbersOf, senderOf, TON } from './smpp-addresses.js';
import { decodeText } from './smpp-text.js';

/** Replies that could not be stored, and that the peer may repeat. */
const FAILED_MAX = 1_000;

/** Returns when an account last texted a person from one of our senders; undefined for never. */
export type TextedAt = (person: string, sender: string) => Promise<number | undefined>;

/** Converts the replies of one bind and hands them on. */
export class SmppReplies {
  /** Countries whose national numbers may write to a sender, by sender. */
  private readonly countries: ReadonlyMap<string, readonly string[]>;
  /** SMPP gives a reply no id: a repeated reply has the id of its failed attempt. */
  private readonly failed = new Map<string, string>();
  private readonly long: LongReplies;

  constructor(
    private readonly bind: Pick<SmppBindConfig, 'senders' | 'number' | 'gsm7Coding'>,
    private readonly receiveReply: (reply: IncomingReply) => Promise<unknown>,
    private readonly textedAt: TextedAt,
    postgres: Postgres,
    logger: Logger,
  ) {
    const ofSender = ({ sender, country }: SmppBindConfig['senders'][number]) =>
      [parseRecipient(sender)?.country, country].flatMap((one) => one ?? []);
    const all = bind.senders.flatMap(ofSender);
    this.countries = new Map(bind.senders.map((one) => [one.sender, [...new Set([...ofSender(one), ...all])]]));
    this.long = new LongReplies(postgres, bind.number, (reply, id) => this.receiveAs(reply, id), logger);
  }

  /** Rejects when the message or segment is not stored. */
  async receive({ part, ...written }: ReplySegment): Promise<void> {
    const recipient = this.oursOf(written.recipient);
    const segment = { ...written, recipient, sender: await this.personOf(written, recipient) };
    await (part === undefined ? this.receiveWhole(segment) : this.long.add({ ...segment, part }));
  }

  /** Hands on the due long replies, regardless of the worker that took their segments. */
  handOver(): Promise<void> {
    return this.long.handOver();
  }

  private oursOf(recipient: string): string {
    return senderOf(recipient, [...this.countries.keys()]) ?? phoneOf(recipient);
  }

  /**
   * Returns the person whom an address names. An address of several possible numbers means the
   * number that we texted last: a STOP must not be lost because its sender is written as a national
   * number.
   */
  private async personOf({ sender, ton }: Pick<ReplySegment, 'sender' | 'ton'>, recipient: string): Promise<string> {
    const countries = this.countries.get(recipient) ?? [...new Set([...this.countries.values()].flat())];
    const numbers = numbersOf(sender, ton, countries);
    const short = isShortCode(sender) && ton !== TON.national ? sender.trim() : undefined;
    const [likeliest = phoneOf(sender)] = numbers;
    if (numbers.length <= (short === undefined ? 1 : 0)) return likeliest;
    const texted = await Promise.all(
      numbers.map(async (number) => ({ number, atMs: await this.textedAt(number, recipient) })),
    );
    const known = texted.filter(({ atMs }) => atMs !== undefined);
    const [latest] = known.toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0));
    return latest?.number ?? short ?? likeliest;
  }

  private async receiveWhole({ dataCoding, octets, ...reply }: Omit<ReplySegment, 'part'>): Promise<void> {
    const { sender, recipient } = reply;
    const key = JSON.stringify([sender, recipient, octets.toString('base64')]);
    const carrierId = this.failed.get(key) ?? `smpp-${randomUUID()}`;
    try {
      await this.receiveAs({ sender, recipient, parts: [{ dataCoding, octets }] }, carrierId);
      this.failed.delete(key);
    } catch (error) {
      const [oldest] = this.failed.keys();
      if (oldest !== undefined && this.failed.size >= FAILED_MAX) this.failed.delete(oldest);
      this.failed.set(key, carrierId);
      throw error;
    }
  }

  private async receiveAs({ sender, recipient, parts }: JoinedReply, carrierId: string): Promise<void> {
    await this.receiveReply({
      carrier: this.bind.number,
      carrierId,
      // An earlier release stored the segments of long replies as the peer writes addresses.
      sender: phoneOf(sender),
      recipient: this.oursOf(recipient),
      service: undefined,
      text: this.textOf(parts),
      segments: parts.length,
      wish: undefined,
    });
  }

  /** Joins adjacent parts of one coding, because a character may be divided between two parts. */
  private textOf(parts: JoinedReply['parts']): string {
    let text = '';
    for (let start = 0, end = 0; start < parts.length; start = end) {
      const dataCoding = parts[start]?.dataCoding ?? 0;
      while (parts[end]?.dataCoding === dataCoding) end += 1;
      const octets = Buffer.concat(parts.slice(start, end).map((part) => part.octets));
      text += decodeText(octets, dataCoding, this.bind.gsm7Coding);
    }
    return text;
  }
}

/**
 * Adds the plus sign that peers leave out of international numbers; a short code or name stays as
 * it is.
 */
function phoneOf(address: string): string {
  return /^[1-9]\d{8,14}$/.test(address) ? `+${address}` : address;
}
