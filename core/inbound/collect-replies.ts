import { Injectable } from '@nestjs/common';
import { Logger } from '../platform/telemetry/logger.js';
import { type CarrierFile, type CarrierInbox, Carriers } from '../carriers/carrier.js';
import { NumberDirectory } from '../numbers/number-directory.js';
import { CarrierSenders } from '../carriers/carrier-senders.js';
import { Config } from '../platform/config/config.js';
import { ReceiveReplies } from './receive-replies.js';
import { Every } from '../platform/schedules/every.js';

/** Time that a worker looks back after its start: longer than any outage of the product. */
const FIRST_LOOK_BACK_MS = 24 * 3_600_000;

/** Successive polls overlap, because clocks differ and the carrier's list lags. */
const OVERLAP_MS = 10 * 60_000;

/**
 * Polls the carriers for replies whose callback failed: Twilio posts a reply once, and the server
 * may have been down. Replies received before are recognized by their carrier id. Numbers that
 * belong only to a messaging service are not polled.
 */
@Injectable()
export class CollectReplies {
  /** Time of each number's last successful poll. */
  private readonly polledAtMs = new Map<string, number>();

  constructor(
    private readonly carriers: Carriers,
    private readonly carrierSenders: CarrierSenders,
    private readonly receiveReplies: ReceiveReplies,
    private readonly directory: NumberDirectory,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /** Polls every number once and returns the number of new replies. */
  @Every({ name: 'missed replies', everyMs: ({ dispatch }) => dispatch.lookupSeconds * 1_000, wholeDatabase: true })
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
    const carrier = await this.carrierSenders.carrierOf(number);
    const { inbox } = this.carriers.of(carrier).capabilities;
    if (!inbox) return 0;
    const replies = await inbox.listReplies(number, new Date(since));
    // The callback may still deliver younger replies.
    const settledAtMs = nowMs - this.config.dispatch.lookupSeconds * 1_000;
    const settled = replies.filter(({ createdAt }) => createdAt.getTime() <= settledAtMs);
    const outcomes = await Promise.allSettled(
      settled.map(async ({ files, ...reply }) => {
        // Polling brings a reply again and again: only a new reply's files are listed.
        const isNew = files > 0 && !(await this.receiveReplies.isKnown(reply.carrierId));
        const media = isNew ? { carrier, files: await listed(inbox, reply.carrierId, files) } : undefined;
        return this.receiveReplies.receive({ ...reply, carrier, wish: undefined, media });
      }),
    );
    // Numbers whose poll failed are polled again; so are all files of a reply if one failed.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    this.polledAtMs.set(number, nowMs);
    const isNews = (outcome: (typeof outcomes)[number]) =>
      outcome.status === 'fulfilled' && outcome.value !== 'repeated' && outcome.value !== 'foreign';
    return outcomes.filter(isNews).length;
  }

  private async numbers(): Promise<Set<string>> {
    const all = [...this.carrierSenders.all().flat(), ...(await this.directory.all()).keys()];
    return new Set(all.filter((sender) => sender.startsWith('+')));
  }
}

/** Files that the carrier no longer lists have been deleted there and cannot be copied. */
async function listed(inbox: CarrierInbox, carrierId: string, count: number): Promise<CarrierFile[]> {
  const files = await inbox.listFiles(carrierId);
  const missing = Math.max(0, count - files.length);
  return [...files, ...Array.from({ length: missing }, () => ({ url: '', type: undefined }))];
}
