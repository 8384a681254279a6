import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  endOptOuts,
  endOptOutsStatement,
  insertOptOuts,
  liftOptOuts,
  type NewOptOut,
  type OptOutPair,
  ownersAmong,
  saidTo,
  valuesOf,
} from '../messages/store/opt-outs.sql.js';
import type { AnnouncedFile } from '../media/reply-media.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';
import { numberOrSender } from '../rules/phone-numbers.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { keywordOf, optOutWishOf, type OptOutWish } from './opt-out-words.js';

const LISTED_MAX = 1_000;
/** Stands for all shared senders. */
const SHARED = '';

/** A reply as the carrier delivers it. */
export interface IncomingReply {
  readonly carrier: number;
  /** Identifies the reply and all its repetitions. */
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
  /** Files, and the number of their carrier; undefined without files. */
  readonly media?: { readonly carrier: number; readonly files: readonly AnnouncedFile[] } | undefined;
  readonly context?: RequestContext | undefined;
}

export interface OptOut extends OptOutPair {
  readonly createdAt: Date;
}

export const listOptOuts = {
  name: 'opt-outs-2',
  text: `
SELECT recipient, ${saidTo('o')} AS sender, created_at AS "createdAt", account_id AS "accountId" FROM opt_outs o
WHERE $1::text IS NULL OR recipient = $1 ORDER BY created_at DESC, recipient, o.sender LIMIT $2`,
} as const;

/**
 * Opt-outs: recorded from replies, listed and lifted by the operator. An opt-out applies to one
 * recipient and to all past, present and future numbers of an account, if the person replied to one
 * of its own, otherwise to every shared sender of every carrier; the acceptance and claim
 * statements read the table. The carrier's refusals are recorded with the message's status.
 */
@Injectable()
export class OptOuts {
  constructor(
    private readonly postgres: Postgres,
    private readonly accountEvents: AccountEvents,
    private readonly logger: Logger,
  ) {}

  /**
   * Records the STOP and START words of replies; a recipient's last word to any number of an
   * account counts, or to any shared sender. `receivers` are the accounts of the replies, in order.
   */
  async record(
    tx: EntityManager,
    replies: readonly IncomingReply[],
    receivers: readonly (string | undefined)[],
  ): Promise<void> {
    const words = replies.flatMap((reply, index) => {
      const wish = wishOf(reply);
      return wish === 'stop' || wish === 'start' ? [{ reply, index, wish }] : [];
    });
    if (words.length === 0) return;
    const owners = await ownersAmong(
      this.postgres,
      tx,
      words.flatMap(({ reply }) => sendersOf(reply)),
    );
    // The owner of a released number is the account that had it last.
    const ownerOf = (reply: IncomingReply) =>
      sendersOf(reply)
        .map((sender) => owners.get(sender))
        .find((one) => one !== undefined) ?? null;
    const last = new Map<string, { reply: IncomingReply; stops: boolean }>();
    const scopeOf = (reply: IncomingReply) => nameOf(reply.sender, ownerOf(reply) ?? SHARED);
    const optOuts = new Map<string, { reply: IncomingReply; optOut: NewOptOut }>();
    for (const { reply, index, wish } of words) {
      const { sender: recipient, recipient: sender, service = null } = reply;
      const stops = wish === 'stop';
      last.set(scopeOf(reply), { reply, stops });
      const word = keywordOf(reply.text) ?? null;
      const said = { word, accountId: receivers[index] ?? null };
      const optOut: NewOptOut = { recipient, sender, service, source: 'reply', said };
      if (stops) optOuts.set(nameOf(recipient, sender), { reply, optOut });
      else optOuts.delete(nameOf(recipient, sender));
      this.logger.info({ carrierId: reply.carrierId, wish }, 'opt-out word received');
    }
    const stored = [...optOuts.values()].filter(({ reply }) => last.get(scopeOf(reply))?.stops === true);
    const listed = await insertOptOuts(
      this.postgres,
      tx,
      stored.map(({ optOut }) => optOut),
    );
    const starts = [...last.values()].filter(({ stops }) => !stops);
    const ended = await endOptOuts(
      this.postgres,
      tx,
      starts.flatMap(({ reply }) =>
        sendersOf(reply).map((sender) => ({ recipient: reply.sender, sender, accountId: ownerOf(reply) })),
      ),
    );
    this.postgres.afterCommit(tx, () => {
      for (const accountId of new Set([...listed, ...ended])) this.accountEvents.balanceChanged(accountId);
    });
  }

  /**
   * Returns opt-outs, newest first, of one recipient or of all; `more` when the bound cuts the
   * list.
   */
  async list(recipient: string | undefined): Promise<{ optOuts: OptOut[]; more: boolean }> {
    const found = await this.postgres.query<OptOut>(listOptOuts, [
      recipient === undefined ? null : normalized(recipient),
      LISTED_MAX + 1,
    ]);
    return { optOuts: found.slice(0, LISTED_MAX), more: found.length > LISTED_MAX };
  }

  /**
   * Lifts a recipient's opt-outs and returns them: all, or those for one sender, with all numbers
   * of its account, or with all shared senders if it is shared. The carriers' own opt-out lists
   * stay.
   */
  async lift(recipient: string, sender: string | undefined): Promise<{ lifted: OptOut[] }> {
    const lifted = await this.postgres.query<OptOut>(liftOptOuts, [normalized(recipient), sender ?? null]);
    await this.postgres.queryEach(endOptOutsStatement, valuesOf(lifted));
    return { lifted };
  }
}

/** Returns the wish of a reply if it is an opt-out word, to the carrier or to us. */
function wishOf({ wish, text }: IncomingReply): OptOutWish | undefined {
  return wish ?? optOutWishOf(text);
}

function nameOf(recipient: string, other: string): string {
  return `${recipient} ${other}`;
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
