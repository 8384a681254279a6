import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Logger } from '../platform/telemetry/logger.js';
import { optOutWishOf } from '../rules/message-text.js';
import { parseRecipient } from '../rules/phone-numbers.js';
import { sendersOf, type IncomingMessage } from './incoming-message.js';
import { OptOutsRepository, type OptOut } from './opt-outs.repository.js';

const LISTED_MAX = 1_000;

/** Who does not want to hear from which sender: told by their replies, seen and lifted by the operator. */
@Injectable()
export class OptOuts {
  constructor(
    private readonly optOuts: OptOutsRepository,
    private readonly logger: Logger,
  ) {}

  /** Takes notice of STOP and START words; the last word of a person to a sender counts. */
  async hear(tx: EntityManager, messages: readonly IncomingMessage[]): Promise<void> {
    const wishes = new Map<string, { recipient: string; sender: string; stops: boolean }>();
    for (const message of messages) {
      const wish = message.wish ?? optOutWishOf(message.text);
      if (wish !== 'stop' && wish !== 'start') continue;
      const stops = wish === 'stop';
      for (const sender of sendersOf(message))
        wishes.set(`${message.sender} ${sender}`, { recipient: message.sender, sender, stops });
      this.logger.info({ carrierId: message.carrierId, wish }, 'opt-out word heard');
    }
    const all = [...wishes.values()];
    const [stopping, starting] = [all.filter(({ stops }) => stops), all.filter(({ stops }) => !stops)];
    if (stopping.length > 0) await this.optOuts.add(tx, stopping);
    if (starting.length > 0) await this.optOuts.remove(tx, starting);
  }

  /** Newest first; `more` when there are more than are listed. */
  async list(recipient: string | undefined): Promise<{ optOuts: OptOut[]; more: boolean }> {
    const found = await this.optOuts.list(recipient && normal(recipient), LISTED_MAX + 1);
    return { optOuts: found.slice(0, LISTED_MAX), more: found.length > LISTED_MAX };
  }

  /** For one sender, or for all; answers those that were lifted. Twilio keeps a list of its own, which this does not change. */
  async lift(recipient: string, sender: string | undefined): Promise<{ lifted: OptOut[] }> {
    return { lifted: await this.optOuts.lift(normal(recipient), sender) };
  }
}

/** A phone number however it is written; short codes and names of senders as they are. */
function normal(number: string): string {
  return parseRecipient(number)?.e164 ?? number.trim();
}
