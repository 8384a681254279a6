import { setTimeout as pause } from 'node:timers/promises';
import type { CarriedMessage, Carrier } from '../../../../tools/testkit/carrier.js';

const everyMs = 500;

/** Messages that arrived at the phones of the run, polled from the sandbox. */
export class CarrierFeed {
  private readonly byRecipient = new Map<string, CarriedMessage[]>();
  private readonly stopping = new AbortController();
  private last: string | undefined;
  private readonly ended: Promise<void>;

  constructor(private readonly carrier: Carrier) {
    this.ended = this.follow();
  }

  messagesTo(recipient: string): readonly CarriedMessage[] {
    return this.byRecipient.get(recipient) ?? [];
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
  }

  private async follow(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // A busy sandbox returns the rest with the next poll.
      const news = await this.carrier.messagesAfter(this.last).catch(() => []);
      for (const message of news) {
        this.last = message.sid;
        this.byRecipient.set(message.to, [...this.messagesTo(message.to), message]);
      }
      await pause(everyMs);
    }
  }
}
