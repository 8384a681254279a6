import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { IncomingReply } from '../../inbound/opt-outs.js';
import { ReceiveReplies } from '../../inbound/receive-replies.js';
import { ConversationOwner } from '../../messages/senders/conversation-owner.js';
import type { SmppBindConfig } from '../../platform/config/smpp-binds.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Every } from '../../platform/schedules/every.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { dialedWithin, parseRecipient } from '../../rules/phone-numbers.js';
import { type JoinedReply, LongReplies } from './long-replies.js';
import type { ReplySegment } from './reply-segments.js';
import { TON } from './smpp-pdus.js';
import { decodeText } from './smpp-text.js';

/** Replies that could not be stored, and that the peer may repeat. */
const FAILED_MAX = 1_000;
/** Long replies that are overdue, or that a worker left. */
const HANDED_OVER_EVERY_MS = 10_000;
/** Digits of the longest short code. */
const SHORT_CODE_DIGITS_MAX = 8;
/** Minimum digits of a number without its country; fewer digits could end several numbers. */
const NATIONAL_DIGITS_MIN = 7;
/** Prefixes that replace the plus sign: most countries, North America, Australia. */
const INTERNATIONAL_PREFIXES = ['00', '011', '0011'];

/** Receives the replies of all binds. */
@Injectable()
export class BindReplies {
  private readonly all: SmppReplies[] = [];

  constructor(
    private readonly receiveReplies: ReceiveReplies,
    private readonly conversationOwner: ConversationOwner,
    private readonly postgres: Postgres,
    private readonly logger: Logger,
  ) {}

  /** Returns the receiver of a bind's replies, whose long replies are handed over from now on. */
  of(bind: SmppBindConfig): SmppReplies {
    const receive = this.receiveReplies.receive.bind(this.receiveReplies);
    const textedAt = async (person: string, sender: string) =>
      (await this.conversationOwner.latest({ person, senders: [sender] }))?.atMs;
    const replies = new SmppReplies(bind, receive, textedAt, this.postgres, this.logger);
    this.all.push(replies);
    return replies;
  }

  /**
   * Hands over the due long replies of all binds, regardless of the worker that took their
   * segments.
   */
  @Every({
    name: 'smpp long replies',
    everyMs: ({ smpp }) => (smpp.length === 0 ? null : HANDED_OVER_EVERY_MS),
    wholeDatabase: true,
  })
  async handOver(): Promise<void> {
    for (const replies of this.all) await replies.handOver();
  }
}

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

/**
 * Returns the E.164 numbers that the address of a person can mean, the likeliest first, given its
 * type and the countries whose national numbers the peer may write. Peers write the same number as
 * `14155552671`, `+14155552671`, `0014155552671`, `01114155552671` and, as national, `4155552671`
 * (jookies/jasmin#751, kneodev/ksmppd#65). Empty for a short code, a name, and an invalid number.
 */
export function numbersOf(written: string, ton: number, countries: readonly string[]): string[] {
  const plain = plainAddress(written);
  if (!/^\+?\d+$/.test(plain)) return [];
  const digits = plain.replace('+', '');
  const prefixed = INTERNATIONAL_PREFIXES.filter((prefix) => digits.startsWith(prefix));
  const international = valid(
    [digits, ...prefixed.map((prefix) => digits.slice(prefix.length))].map((one) => `+${one}`),
  );
  if (plain.startsWith('+') || (ton === TON.international && international.length > 0)) return international;
  const national = valid(countries.flatMap((country) => dialedWithin(country, digits) ?? []));
  // Some peers flag every number as national, also with its country (kneodev/ksmppd#65).
  if (ton === TON.national) return national.length > 0 ? national : international;
  return [...new Set([...international, ...national])];
}

function valid(numbers: readonly string[]): string[] {
  return [...new Set(numbers)].filter((number) => parseRecipient(number)?.e164 === number);
}

/** Returns whether an address without a valid number may be a short code. */
export function isShortCode(written: string): boolean {
  const plain = plainAddress(written);
  return /^\d+$/.test(plain) && plain.length <= SHORT_CODE_DIGITS_MAX;
}

/**
 * Returns our sender (number, short code or name) that an address means, in any spelling of the
 * peer; undefined if no sender or several fit.
 */
export function senderOf(written: string, senders: readonly string[]): string | undefined {
  const plain = plainAddress(written);
  const names = senders.filter((sender) => sender.toLowerCase() === written.trim().toLowerCase());
  const digits = plain.replace(/^(\+|011(?=[1-9])|0+)/, '');
  const same = senders.filter((sender) => sender.replace('+', '') === digits);
  const ending =
    digits.length >= NATIONAL_DIGITS_MIN
      ? senders.filter((sender) => sender.startsWith('+') && sender.endsWith(digits))
      : [];
  const [found] = [names, same, ending].filter((some) => some.length === 1).flat();
  return found;
}

/** Removes the separators that people write. */
function plainAddress(written: string): string {
  const plain = written.replace(/[\s().-]/g, '');
  return /^\+?\d+$/.test(plain) ? plain : written.trim();
}
