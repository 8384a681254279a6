import { randomUUID } from 'node:crypto';
import type { IncomingReply } from '../../inbound/opt-outs.js';
import type { SmppBindConfig } from '../../platform/config/smpp-binds.js';
import type { Postgres } from '../../platform/database/postgres.js';
import type { Logger } from '../../platform/telemetry/logger.js';
import { type JoinedReply, LongReplies } from './long-replies.js';
import type { ReplySegment } from './reply-segments.js';
import { decodeText } from './smpp-text.js';

/** Replies whose storing failed, and which the peer may repeat. */
const FAILED_MAX = 1_000;

/** Hands the replies of one bind on in our terms. */
export class SmppReplies {
  /** Our numbers and names by what the peer calls them. */
  private readonly ours: ReadonlyMap<string, string>;
  /** SMPP gives a reply no id: a repeated one has that of the attempt that failed. */
  private readonly failed = new Map<string, string>();
  private readonly long: LongReplies;

  constructor(
    private readonly bind: Pick<SmppBindConfig, 'senders' | 'number' | 'gsm7Coding'>,
    private readonly receiveReply: (reply: IncomingReply) => Promise<unknown>,
    postgres: Postgres,
    logger: Logger,
  ) {
    this.ours = new Map(bind.senders.map(({ sender }) => [digitsOf(sender), sender]));
    this.long = new LongReplies(postgres, bind.number, (reply, id) => this.receiveAs(reply, id), logger);
  }

  /** Rejects when the message of a person, or the segment of one, is not stored. */
  receive({ part, ...segment }: ReplySegment): Promise<void> {
    return part === undefined ? this.receiveWhole(segment) : this.long.add({ ...segment, part });
  }

  /** Hands on the long replies that are due, whichever worker took their segments. */
  handOver(): Promise<void> {
    return this.long.handOver();
  }

  private async receiveWhole(reply: Omit<JoinedReply, 'segments'>): Promise<void> {
    const { sender, recipient, octets } = reply;
    const key = JSON.stringify([sender, recipient, octets.toString('base64')]);
    const carrierId = this.failed.get(key) ?? `smpp-${randomUUID()}`;
    try {
      await this.receiveAs({ ...reply, segments: 1 }, carrierId);
      this.failed.delete(key);
    } catch (error) {
      const [oldest] = this.failed.keys();
      if (oldest !== undefined && this.failed.size >= FAILED_MAX) this.failed.delete(oldest);
      this.failed.set(key, carrierId);
      throw error;
    }
  }

  private async receiveAs(
    { sender, recipient, octets, dataCoding, segments }: JoinedReply,
    carrierId: string,
  ): Promise<void> {
    await this.receiveReply({
      carrier: this.bind.number,
      carrierId,
      sender: phoneOf(sender),
      recipient: this.ours.get(digitsOf(recipient)) ?? phoneOf(recipient),
      service: undefined,
      text: decodeText(octets, dataCoding, this.bind.gsm7Coding),
      segments,
      wish: undefined,
    });
  }
}

function digitsOf(address: string): string {
  return address.replace(/^\+/, '');
}

/** A number of the international plan, which peers write without its plus sign; a short code or a name as it is. */
function phoneOf(address: string): string {
  return /^[1-9]\d{8,14}$/.test(address) ? `+${address}` : address;
}
