import { Injectable } from '@nestjs/common';
import { CarrierSenders } from '../carriers/carrier-senders.js';
import { carrierNameOf, Config } from '../platform/config/config.js';
import { contextFields } from '../platform/telemetry/request-context.js';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import type { IncomingReply } from './opt-outs.js';

/** Of the number that a foreign reply was sent to, in the log. */
const SHOWN_DIGITS = 2;

/**
 * Recognizes replies that were sent to a number which is none of the carrier that delivers them. They
 * do not count: a carrier could forge replies, and STOP and START, to the numbers of another.
 */
@Injectable()
export class ForeignReplies {
  constructor(
    private readonly carrierSenders: CarrierSenders,
    private readonly config: Config,
    private readonly telemetry: Telemetry,
  ) {}

  /** Counts and logs a foreign reply. */
  async isForeign({ carrier, carrierId, recipient, context }: IncomingReply): Promise<boolean> {
    if (await this.carrierSenders.mayReceive(carrier, recipient)) return false;
    const { logger, metrics } = this.telemetry;
    const name = carrierNameOf(this.config, carrier);
    const destination = { characters: recipient.length, ending: recipient.slice(-SHOWN_DIGITS) };
    metrics.foreignReplies.inc({ carrier: name });
    logger.warn(
      { ...contextFields(context), carrier: name, carrierId, destination },
      'reply dropped: it was sent to no number of its carrier',
    );
    return true;
  }
}
