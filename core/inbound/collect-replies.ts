import { Injectable } from '@nestjs/common';
import { Logger } from '../platform/telemetry/logger.js';
import { NumberDirectory } from '../numbers/number-directory.js';
import { CarrierSenders } from '../messages/routes/carrier-senders.js';
import { Carriers } from '../messages/routes/carriers.js';
import { Config } from '../platform/config/config.js';
import { ReceiveReplies } from './receive-replies.js';
import { Every } from '../platform/schedules/every.js';

/** How far back a worker looks after its start: longer than any outage of the product. */
const FIRST_LOOK_BACK_MS = 24 * 3_600_000;

/** Successive polls overlap, because clocks differ and the carrier's list lags. */
const OVERLAP_MS = 10 * 60_000;

/**
 * Polls the carriers for replies whose callback failed: Twilio posts a reply once, and the server
 * may have been down. Replies received before are recognized by their carrier id. Numbers that
 * belong to a messaging service only are not polled.
 */
@Injectable()
export class CollectReplies {
  /** When each number was last polled successfully. */
  private readonly polledAtMs = new Map<string, number>();

  constructor(
    private readonly carriers: Carriers,
    private readonly carrierSenders: CarrierSenders,
    private readonly receiveReplies: ReceiveReplies,
    private readonly directory: NumberDirectory,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /** Polls every number once and returns how many new replies it found. */
  @Every({ name: 'missed replies', everyMs: ({ dispatch }) => dispatch.lookupSeconds * 1_000, once: true })
  async poll(now = new Date()): Promise<number> {
    let collected = 0;
    for (const number of await this.numbers()) {
      try {
        collected += await this.pollNumber(number, now.getTime());
      } catch (err) {
        this.logger.warn({ err }, 'carrier not polled for replies');
      }
    }
    if (collected > 0) this.logger.warn({ replies: collected }, 'replies collected that the callback missed');
    return collected;
  }

  private async pollNumber(number: string, nowMs: number): Promise<number> {
    const since = (this.polledAtMs.get(number) ?? nowMs - FIRST_LOOK_BACK_MS) - OVERLAP_MS;
    const inbox = this.carriers.of(this.carrierSenders.carrierOf(number)).capabilities.inbox;
    if (!inbox) return 0;
    const replies = await inbox.listReplies(number, new Date(since));
    // The callback may still deliver younger replies.
    const settledAtMs = nowMs - this.config.dispatch.lookupSeconds * 1_000;
    const settled = replies.filter(({ createdAt }) => createdAt.getTime() <= settledAtMs);
    const outcomes = await Promise.all(
      settled.map((reply) => this.receiveReplies.receive({ ...reply, wish: undefined })),
    );
    this.polledAtMs.set(number, nowMs);
    return outcomes.filter((outcome) => outcome !== 'repeated').length;
  }

  private async numbers(): Promise<Set<string>> {
    const all = [...this.carrierSenders.all().flat(), ...(await this.directory.all()).keys()];
    return new Set(all.filter((sender) => sender.startsWith('+')));
  }
}
