import { Injectable } from '@nestjs/common';
import { CarrierSenders } from '../carriers/carrier-senders.js';
import { carrierNameOf, Config } from '../platform/config/config.js';
import { contextFields } from '../platform/telemetry/request-context.js';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import type { IncomingReply } from './opt-outs.js';

/** Last digits of a foreign reply's number that the log shows. */
const SHOWN_DIGITS = 2;

/**
 * Recognizes replies to a number that does not belong to the delivering carrier. They are ignored:
 * a carrier could forge replies, and STOP and START, to the numbers of another carrier.
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
