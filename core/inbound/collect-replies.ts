import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Carrier } from '../messages/dispatch/carrier.js';
import { ReceiveMessage } from './receive-message.js';

/** A worker that starts looks so far back: longer than the product is away. */
const FIRST_LOOK_BACK_MS = 24 * 3_600_000;
/** Rounds overlap: the carrier's clock is not ours, and its list is a little behind. */
const OVERLAP_MS = 10 * 60_000;
/** Younger ones may still be on their way to the callback. */
const YOUNGEST_MS = 60_000;

/**
 * Takes in replies that the carrier's callback did not bring, because the server was away: Twilio posts a reply once, so it is
 * asked what it keeps. What was taken in before is known by the carrier's id. Numbers of a messaging service are not known here.
 */
@Injectable()
export class CollectReplies {
  /** When each number was last looked at with success. */
  private readonly lookedAtMs = new Map<string, number>();

  constructor(
    private readonly carrier: Carrier,
    private readonly receiveMessage: ReceiveMessage,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /** One round over all our numbers. Answers how many replies nobody had brought. */
  async run(now = new Date()): Promise<number> {
    let collected = 0;
    for (const number of this.numbers()) {
      try {
        collected += await this.collect(number, now.getTime());
      } catch (err) {
        this.logger.warn({ err }, 'replies at the carrier not looked through');
      }
    }
    if (collected > 0) this.logger.warn({ replies: collected }, 'replies collected that the callback did not bring');
    return collected;
  }

  private async collect(number: string, nowMs: number): Promise<number> {
    const since = (this.lookedAtMs.get(number) ?? nowMs - FIRST_LOOK_BACK_MS) - OVERLAP_MS;
    const replies = await this.carrier.listReplies(number, new Date(since));
    const settled = replies.filter(({ createdAt }) => createdAt.getTime() <= nowMs - YOUNGEST_MS);
    const outcomes = await Promise.all(settled.map((reply) => this.receiveMessage.run({ ...reply, wish: undefined })));
    this.lookedAtMs.set(number, nowMs);
    return outcomes.filter((outcome) => outcome !== 'repeated').length;
  }

  private numbers(): Set<string> {
    const { senders, countrySenders } = this.config.twilio;
    return new Set([...senders, ...[...countrySenders.values()].flat()].filter((sender) => sender.startsWith('+')));
  }
}
