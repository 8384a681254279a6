import { Injectable } from '@nestjs/common';
import { bindNumbers, carrierNumbers } from '#contract/carrier-codes.js';
import { carrierNameOf, Config } from '../../platform/config/config.js';
import { retryUndone } from '../../platform/errors/database-error.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { joinBought } from '../../numbers/numbers.sql.js';
import { carrierOf, carrierOfSender, CarrierSenders, joinSenders } from '../../carriers/carrier-senders.js';
import { insertClaimChecks } from '../store/checks.sql.js';

const BATCH_MAX = 1_000;
/** Lower than every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
/** Maximum difference between the clock that names a dump and the database's clock. */
const SLACK_MS = 60_000;
/** Name that stands for all SMPP binds. */
const ALL_BINDS = 'smpp';

/**
 * Selects a batch of messages that may have been handed to a carrier after the dump: queued,
 * scheduled and due, or claimed without an outcome. Parameters: last id of the previous batch, and
 * {@link CarrierSenders.values}.
 */
export const waitingStatement = {
  text: `
SELECT m.id, m.status <> 'sending' AS "isUnclaimed",
  CASE m.status WHEN 'sending' THEN ${carrierOf('m')} ELSE ${carrierOfSender(2)} END AS carrier
FROM messages m
${joinSenders('m', 2)}
${joinBought('m')}
WHERE m.id > $1 AND m.carrier_id IS NULL
  AND (m.status IN ('queued', 'sending') OR m.status = 'scheduled' AND m.send_at <= now())
ORDER BY m.id LIMIT ${BATCH_MAX}`,
} as const;

/**
 * Makes messages claims without an outcome, as if their worker had died, so that recovery settles
 * them. The claims start now: the worker before the failure may just have handed the messages over,
 * and the lists of carriers lag. Each has at least two claims, so that older records of the carrier
 * count too. Parameters: messages, their carriers.
 */
export const claimAgainStatement = {
  text: `
WITH claimed AS (
  UPDATE messages m
  SET status = 'sending', attempts = greatest(m.attempts + 1, 2), claimed_at = now(),
    carrier = nullif(u.carrier, ${carrierNumbers.twilio})
  FROM unnest($1::uuid[], $2::smallint[]) AS u (id, carrier)
  WHERE m.id = u.id AND m.status IN ('queued', 'scheduled')
  RETURNING m.id, m.attempts, m.created_at, m.claimed_at
)
${insertClaimChecks('claimed', 'now()')}`,
} as const;

const newestStatement = {
  text: 'SELECT created_at AS "acceptedAt" FROM messages ORDER BY id DESC LIMIT 1',
} as const;

const noteRestoreStatement = {
  text: 'INSERT INTO restores (accepted_until) VALUES ($1) ON CONFLICT DO NOTHING',
  shared: true,
} as const;

/** A row of {@link waitingStatement}. */
export interface WaitingMessage {
  readonly id: string;
  readonly isUnclaimed: boolean;
  /** Number of the carrier that may have the message. */
  readonly carrier: number;
}

/**
 * Our own notes on hand-overs to carriers that cannot be asked: a message with a note may be at the
 * carrier, and is never handed over again.
 */
export interface RestoredNotes {
  add(carrier: number, messageIds: readonly string[]): Promise<void>;
  remove(carrier: number, messageIds: readonly string[]): Promise<void>;
}

export interface Restored {
  /** Time of the dump. */
  readonly dumpedAt: Date;
  /** Carriers whose messages are sent as if none had left since the dump; `smpp` for all binds. */
  readonly resend: readonly string[];
}

/** Numbers of settled messages of a carrier, by outcome. */
export interface SettledCarrier {
  /** The worker asks the carrier and sends the messages that the carrier does not have. */
  readonly askCarrier: number;
  /** These messages wait a day for a receipt; without it they fail and are refunded. */
  readonly awaitReceipt: number;
  /** The worker sends these messages. */
  readonly sendAgain: number;
}

/** Results by carrier name. */
export type SettledRestore = Readonly<Record<string, SettledCarrier>>;

/**
 * Settles, before a worker starts, whether the waiting messages of a restored dump have been sent
 * since. A second run, even with another choice for a carrier, does the rest.
 */
@Injectable()
export class SettleRestored {
  constructor(
    private readonly postgres: Postgres,
    private readonly carrierSenders: CarrierSenders,
    private readonly config: Config,
  ) {}

  /**
   * From now on no message of the dump changes its route, because the dump may lack such a change.
   * Throws `invalid_request` for a carrier that is not configured, and when the database has
   * messages from after the dump, so that it is another database or is already in use.
   */
  async settle({ dumpedAt, resend }: Restored, notes: RestoredNotes): Promise<SettledRestore> {
    const isResent = this.chosen(resend);
    const acceptedUntil = new Date(dumpedAt.getTime() + SLACK_MS);
    await this.refuseNewer(acceptedUntil);
    await this.postgres.query(noteRestoreStatement, [acceptedUntil]);
    const counts = new Map<string, SettledCarrier>();
    await this.postgres.onEach(async () => {
      for (let after: string | undefined = NO_ID; after !== undefined;) {
        const values = [after, ...this.carrierSenders.values];
        const batch: WaitingMessage[] = await this.postgres.query<WaitingMessage>(waitingStatement, values);
        for (const [carrier, messages] of byCarrier(batch)) {
          const how = await this.settleBatch(carrier, messages, isResent(carrier), notes);
          const name = carrierNameOf(this.config, carrier);
          counts.set(name, sumOf(counts.get(name), how));
        }
        after = batch.at(-1)?.id;
      }
    });
    return Object.fromEntries(counts);
  }

  /** Notes are written first: a message that was claimed again without its note would be sent. */
  private async settleBatch(
    carrier: number,
    messages: readonly WaitingMessage[],
    isResent: boolean,
    notes: RestoredNotes,
  ): Promise<SettledCarrier> {
    const ids = messages.map(({ id }) => id);
    const isBind = carrier >= bindNumbers.first;
    if (isBind) await (isResent ? notes.remove(carrier, ids) : notes.add(carrier, ids));
    const unclaimed = messages.filter(({ isUnclaimed }) => isUnclaimed).map(({ id }) => id);
    if (!isResent) {
      const values = [unclaimed, unclaimed.map(() => carrier)];
      await retryUndone(() => this.postgres.query(claimAgainStatement, values));
      return countOf(isBind ? 'awaitReceipt' : 'askCarrier', ids.length);
    }
    // Recovery asks about the claims of other carriers that the dump has, as after any crash.
    const asked = isBind ? 0 : ids.length - unclaimed.length;
    return sumOf(countOf('sendAgain', ids.length - asked), countOf('askCarrier', asked));
  }

  private chosen(names: readonly string[]): (carrier: number) => boolean {
    const known = this.config.carriers.map(({ name }) => name);
    const unknown = names.find((name) => name !== ALL_BINDS && !known.includes(name));
    if (unknown !== undefined)
      throw new DomainError(
        'invalid_request',
        `${unknown} is no carrier. These are: ${[...known, ALL_BINDS].join(', ')} (all SMPP binds).`,
      );
    return (carrier) =>
      names.includes(carrierNameOf(this.config, carrier)) ||
      (carrier >= bindNumbers.first && names.includes(ALL_BINDS));
  }

  private async refuseNewer(acceptedUntil: Date): Promise<void> {
    const newest = await this.postgres.queryEach<{ acceptedAt: Date }>(newestStatement, []);
    const last = Math.max(...newest.map(({ acceptedAt }) => acceptedAt.getTime()), -Infinity);
    if (last <= acceptedUntil.getTime()) return;
    throw new DomainError(
      'invalid_request',
      `This database has messages from after the dump, the last of ${new Date(last).toISOString()}. Stop servers ` +
        'and workers, and give the time of the dump that it was restored from.',
    );
  }
}

function byCarrier(messages: readonly WaitingMessage[]): Map<number, WaitingMessage[]> {
  const groups = new Map<number, WaitingMessage[]>();
  for (const message of messages) {
    const group = groups.get(message.carrier) ?? [];
    group.push(message);
    groups.set(message.carrier, group);
  }
  return groups;
}

function countOf(how: keyof SettledCarrier, messages: number): SettledCarrier {
  return { askCarrier: 0, awaitReceipt: 0, sendAgain: 0, [how]: messages };
}

function sumOf(a: SettledCarrier | undefined, b: SettledCarrier): SettledCarrier {
  return {
    askCarrier: (a?.askCarrier ?? 0) + b.askCarrier,
    awaitReceipt: (a?.awaitReceipt ?? 0) + b.awaitReceipt,
    sendAgain: (a?.sendAgain ?? 0) + b.sendAgain,
  };
}
