import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  endOptOuts,
  endOptOutsStatement,
  insertOptOuts,
  type NewOptOut,
  type OptOutPair,
} from '../messages/opt-outs.sql.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';
import { numberOrSender } from '../rules/phone-numbers.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { keywordOf, optOutWishOf, type OptOutWish } from './opt-out-words.js';

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
    private readonly accountEvents: AccountEvents,
    private readonly logger: Logger,
  ) {}

  /**
   * Records the STOP and START words of replies; the last word of a recipient to a sender counts.
   * `owners` are the accounts that the replies go to, in their order.
   */
  async record(
    tx: EntityManager,
    replies: readonly IncomingReply[],
    owners: readonly (string | undefined)[],
  ): Promise<void> {
    const last = new Map<string, OptOutPair & { stops: boolean }>();
    const optOuts = new Map<string, NewOptOut>();
    for (const [index, reply] of replies.entries()) {
      const wish = wishOf(reply);
      if (wish !== 'stop' && wish !== 'start') continue;
      const { sender: recipient, recipient: sender, service = null } = reply;
      for (const one of sendersOf(reply))
        last.set(nameOf(recipient, one), { recipient, sender: one, stops: wish === 'stop' });
      const word = keywordOf(reply.text) ?? null;
      optOuts.set(nameOf(recipient, sender), {
        recipient,
        sender,
        service,
        source: 'reply',
        said: { word, accountId: owners[index] ?? null },
      });
      this.logger.info({ carrierId: reply.carrierId, wish }, 'opt-out word received');
    }
    const stops = (recipient: string, sender: string) => last.get(nameOf(recipient, sender))?.stops === true;
    const listed = await insertOptOuts(
      tx,
      [...optOuts.values()]
        .filter(({ recipient, sender }) => stops(recipient, sender))
        .map((one) => ({
          ...one,
          service: one.service !== null && stops(one.recipient, one.service) ? one.service : null,
        })),
    );
    const ended = await endOptOuts(
      tx,
      [...last.values()].filter((pair) => !pair.stops),
    );
    this.postgres.afterCommit(tx, () => {
      for (const accountId of new Set([...listed, ...ended])) this.accountEvents.balanceChanged(accountId);
    });
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
    const lifted = await this.postgres.query<OptOut>(liftOptOuts, [normalized(recipient), sender ?? null]);
    const pairs = [lifted.map((one) => one.recipient), lifted.map((one) => one.sender)];
    await this.postgres.onEach(() => this.postgres.query(endOptOutsStatement, pairs));
    return { lifted };
  }
}

/** What a reply asks for, if it is an opt-out word, to the carrier or to us. */
function wishOf({ wish, text }: IncomingReply): OptOutWish | undefined {
  return wish ?? optOutWishOf(text);
}

function nameOf(recipient: string, sender: string): string {
  return `${recipient} ${sender}`;
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
