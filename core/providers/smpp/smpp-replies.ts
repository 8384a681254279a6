import { randomUUID } from 'node:crypto';
import type { IncomingReply } from '../../inbound/opt-outs.js';
import type { SmppBindConfig } from '../../platform/config/smpp-binds.js';
import type { SmppReply } from './smpp-bind.js';

/** Replies whose storing failed, and which the peer may repeat. */
const FAILED_MAX = 1_000;

/** Hands the replies of one bind on in our terms. */
export class SmppReplies {
  /** Our numbers and names by what the peer calls them. */
  private readonly ours: ReadonlyMap<string, string>;
  /** SMPP gives a reply no id: a repeated one has that of the attempt that failed. */
  private readonly failed = new Map<string, string>();

  constructor(
    private readonly bind: Pick<SmppBindConfig, 'senders' | 'number'>,
    private readonly receiveReply: (reply: IncomingReply) => Promise<unknown>,
  ) {
    this.ours = new Map(bind.senders.map(({ sender }) => [digitsOf(sender), sender]));
  }

  /** Rejects when the reply is not stored. */
  async receive({ sender, recipient, text, segments }: SmppReply): Promise<void> {
    const key = JSON.stringify([sender, recipient, text]);
    const carrierId = this.failed.get(key) ?? `smpp-${randomUUID()}`;
    try {
      await this.receiveReply({
        carrier: this.bind.number,
        carrierId,
        sender: phoneOf(sender),
        recipient: this.ours.get(digitsOf(recipient)) ?? phoneOf(recipient),
        service: undefined,
        text,
        segments,
        wish: undefined,
      });
      this.failed.delete(key);
    } catch (error) {
      const [oldest] = this.failed.keys();
      if (oldest !== undefined && this.failed.size >= FAILED_MAX) this.failed.delete(oldest);
      this.failed.set(key, carrierId);
      throw error;
    }
  }
}

function digitsOf(address: string): string {
  return address.replace(/^\+/, '');
}

/** A number of the international plan, which peers write without its plus sign; a short code or a name as it is. */
function phoneOf(address: string): string {
  return /^[1-9]\d{8,14}$/.test(address) ? `+${address}` : address;
}
