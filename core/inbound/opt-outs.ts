import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { insertOptOuts, type OptOutPair } from '../messages/opt-outs.sql.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';
import { numberOrSender } from '../rules/phone-numbers.js';
import { optOutWishOf, type OptOutWish } from './opt-out-words.js';

const LISTED_MAX = 1_000;

/** A reply as the carrier delivers it. */
export interface IncomingReply {
  /** Identifies the reply; the same for every repetition. */
  readonly carrierId: string;
  /** E.164 number, short code or alphanumeric name. */
  readonly sender: string;
  /** The product's number. */
  readonly recipient: string;
  /** The messaging service that the number belongs to. */
  readonly service: string | undefined;
  readonly text: string;
  readonly segments: number;
  /** The opt-out word that the carrier recognized. */
  readonly wish: OptOutWish | undefined;
  readonly context?: RequestContext | undefined;
}

export interface OptOut extends OptOutPair {
  readonly createdAt: Date;
}

export const listOptOuts = {
  name: 'opt-outs-1',
  text: `
SELECT recipient, sender, created_at AS "createdAt" FROM opt_outs
WHERE $1::text IS NULL OR recipient = $1 ORDER BY created_at DESC, recipient, sender LIMIT $2`,
} as const;

export const liftOptOuts = {
  name: 'opt-outs-lift-1',
  text: `
DELETE FROM opt_outs WHERE recipient = $1 AND ($2::text IS NULL OR sender = $2)
RETURNING recipient, sender, created_at AS "createdAt"`,
} as const;

/**
 * Opt-outs: recorded from replies, listed and lifted by the operator. An opt-out applies to one
 * recipient and one sender; the acceptance and claim statements read the table. The carrier's
 * refusals are recorded with the message's status.
 */
@Injectable()
export class OptOuts {
  constructor(
    private readonly postgres: Postgres,
    private readonly logger: Logger,
  ) {}

  /**
   * Records the STOP and START words of replies; the last word of a recipient to a sender counts.
   */
  async record(tx: EntityManager, replies: readonly IncomingReply[]): Promise<void> {
    const last = new Map<string, OptOutPair & { stops: boolean }>();
    for (const reply of replies) {
      const wish = reply.wish ?? optOutWishOf(reply.text);
      if (wish !== 'stop' && wish !== 'start') continue;
      for (const sender of sendersOf(reply))
        last.set(`${reply.sender} ${sender}`, { recipient: reply.sender, sender, stops: wish === 'stop' });
      this.logger.info({ carrierId: reply.carrierId, wish }, 'opt-out word received');
    }
    const pairs = [...last.values()];
    await insertOptOuts(
      tx,
      pairs.filter(({ stops }) => stops),
    );
    const starting = pairs.filter(({ stops }) => !stops);
    if (starting.length > 0)
      await tx.query(
        `DELETE FROM public.opt_outs o USING unnest($1::text[], $2::text[]) AS n (recipient, sender)
         WHERE o.recipient = n.recipient AND o.sender = n.sender`,
        [starting.map(({ recipient }) => recipient), starting.map(({ sender }) => sender)],
      );
  }

  /**
   * Returns opt-outs, newest first, of one recipient or of all; `more` when there are more than the
   * bound.
   */
  async list(recipient: string | undefined): Promise<{ optOuts: OptOut[]; more: boolean }> {
    const found = await this.postgres.query<OptOut>(listOptOuts, [
      recipient === undefined ? null : normalized(recipient),
      LISTED_MAX + 1,
    ]);
    return { optOuts: found.slice(0, LISTED_MAX), more: found.length > LISTED_MAX };
  }

  /**
   * Lifts a recipient's opt-outs for one sender or for all, and returns them. Twilio's own opt-out
   * list stays as it is.
   */
  async lift(recipient: string, sender: string | undefined): Promise<{ lifted: OptOut[] }> {
    return { lifted: await this.postgres.query<OptOut>(liftOptOuts, [normalized(recipient), sender ?? null]) };
  }
}

/**
 * Returns the senders that a reply may answer: the number, and the messaging service it belongs to.
 */
export function sendersOf({ recipient, service }: IncomingReply): string[] {
  return service === undefined ? [recipient] : [recipient, service];
}

/** Normalizes a phone number to E.164; keeps short codes and alphanumeric senders. */
function normalized(number: string): string {
  return numberOrSender(number);
}
