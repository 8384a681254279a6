import { Injectable } from '@nestjs/common';
import { Postgres } from '../../platform/database/postgres.js';
import { purge, type PurgeRule } from '../../platform/durable-work/retention.js';
import { storableCode } from '../../rules/carrier-code.js';
import { joinBought } from '../../numbers/numbers.sql.js';
import { holdsFor } from '../store/opt-outs.sql.js';
import { checkedQueued } from '../store/checks.sql.js';
import { carrierOfSender, CarrierSenders, joinSenders } from '../../carriers/carrier-senders.js';

/** Pauses by one message after which the refusal is attributed to the message. */
const PAUSES_PER_MESSAGE_MAX = 2;
const CANDIDATES_MAX = 50;
/** Messages searched for candidates: some have been claimed since their check was written. */
const CHECKED_MAX = 1_000;
const KEPT_DAYS = 90;
/**
 * A carrier that takes a probe and falls silent again within this time is probed after twice the
 * time, up to a minute: each return to it delays some messages by ten seconds.
 */
const SILENCE_REMEMBERED_MINUTES = 10;
const SILENCE_SECONDS_MAX = 60;
/**
 * Maximum wait between probes of a carrier that refuses our account, as a multiple of the first
 * wait; waits double.
 */
const PROBE_WAITS_MAX = 20;
/** A refusal within this time after a tentative resume continues the pause. */
const TENTATIVE_MINUTES = 30;

/** A period in which a carrier refuses our account or does not answer, and its messages wait. */
export interface DispatchPauseState {
  /** Number of the carrier. */
  readonly carrier: number;
  /** Time of the first refusal; an earlier tentative resume does not reset it. */
  readonly since: Date;
  /** Null if the carrier does not speak HTTP, or does not answer. */
  readonly httpStatus: number | null;
  readonly carrierError: number | null;
  /** Number of probes since then. */
  readonly probes: number;
  readonly nextProbeAt: Date;
  /** Null while the pause lasts. */
  readonly resumedAt: Date | null;
  /**
   * The carrier resumed because it answered a query, which does not prove that it accepts messages.
   */
  readonly isTentative: boolean;
}

/** The refusal that begins a pause, and the refused message; null for a lost connection. */
export interface PauseReason {
  readonly carrier: number;
  readonly messageId: string | null;
  readonly httpStatus: number | null;
  readonly carrierError: number | null;
}

export const latestPausesStatement = {
  name: 'carrier-pauses-latest-2',
  text: `
SELECT DISTINCT ON (carrier) carrier::integer AS carrier, coalesce(refused_since, paused_at) AS since,
  http_status AS "httpStatus", carrier_error AS "carrierError", probes,
  next_probe_at AS "nextProbeAt", resumed_at AS "resumedAt", tentative AS "isTentative"
FROM carrier_pauses ORDER BY carrier, id DESC`,
  shared: true,
} as const;

/** SQL condition: whether a pause began because the carrier did not answer, from its columns or parameters. */
const isSilence = (messageId: string, httpStatus: string, carrierError: string) =>
  `(${messageId} IS NOT NULL AND ${httpStatus} IS NULL AND ${carrierError} IS NULL)`;

/** SQL condition: whether the carrier refuses our account. The other causes are silence and a lost connection. */
const isRefusal = (httpStatus: string, carrierError: string) =>
  `(${httpStatus} IS NOT NULL OR ${carrierError} IS NOT NULL)`;

/**
 * SQL: seconds until the next probe of a carrier that refuses our account, after a number of
 * probes.
 */
const waitAfter = (first: string, probes: string) =>
  `${first} * least(power(2, least(${probes}, 10)), ${PROBE_WAITS_MAX})`;

/**
 * Begins a pause, or continues a pause that had ended tentatively. Parameters: message, HTTP
 * status, carrier's code, seconds until the first probe of a carrier that was not paused lately,
 * carrier. A pause that another worker begins at the same time leaves `begun` and `repeated` false.
 */
export const beginPauseStatement = {
  text: `
WITH known AS (
  SELECT count(*) FILTER (WHERE message_id = $1 AND resumed_at IS NOT NULL) >= ${PAUSES_PER_MESSAGE_MAX}
    AND count(*) FILTER (WHERE resumed_at IS NULL) = 0 AS repeated,
    count(*) FILTER (WHERE resumed_at > now() - interval '${SILENCE_REMEMBERED_MINUTES} minutes'
      AND ${isSilence('message_id', 'http_status', 'carrier_error')}) AS silences
  FROM carrier_pauses WHERE carrier = $5
),
earlier AS (
  SELECT coalesce(refused_since, paused_at) AS since, probes
  FROM (SELECT * FROM carrier_pauses WHERE carrier = $5 ORDER BY id DESC LIMIT 1) latest
  WHERE tentative AND resumed_at > now() - interval '${TENTATIVE_MINUTES} minutes'
),
begun AS (
  INSERT INTO carrier_pauses (carrier, message_id, http_status, carrier_error, refused_since, probes, next_probe_at)
  SELECT $5, $1, $2, $3, e.since, coalesce(e.probes, 0),
    now() + make_interval(secs => CASE WHEN ${isSilence('$1::uuid', '$2::integer', '$3::integer')}
      THEN least($4 * power(2, least(silences, 10)), greatest($4, ${SILENCE_SECONDS_MAX}))
      WHEN ${isRefusal('$2::integer', '$3::integer')} THEN ${waitAfter('$4', 'coalesce(e.probes, 0)')} ELSE $4 END)
  FROM known LEFT JOIN earlier e ON true WHERE NOT repeated
  ON CONFLICT (carrier) WHERE resumed_at IS NULL DO NOTHING
  RETURNING 1
)
SELECT repeated, EXISTS (SELECT FROM begun) AS begun FROM known`,
  shared: true,
} as const;

/** Takes the turn to probe. Parameters: carrier, seconds until the first probe of a pause. */
export const takeProbeStatement = {
  text: `
UPDATE carrier_pauses SET probes = probes + 1, next_probe_at = now() + make_interval(secs =>
  CASE WHEN ${isRefusal('http_status', 'carrier_error')} THEN ${waitAfter('$2', 'probes + 1')} ELSE $2 END)
WHERE carrier = $1 AND resumed_at IS NULL AND next_probe_at <= now()
RETURNING id::float8 AS id`,
  shared: true,
} as const;

const probeSoonStatement = {
  text: 'UPDATE carrier_pauses SET next_probe_at = now() WHERE resumed_at IS NULL',
  shared: true,
} as const;

/** Parameters: carrier, whether the end is tentative. */
export const endPauseStatement = {
  text: `UPDATE carrier_pauses SET resumed_at = now(), tentative = $2 WHERE carrier = $1 AND resumed_at IS NULL
    RETURNING id::float8 AS id`,
  shared: true,
} as const;

/** Makes a tentative end final. Parameter: carrier. */
export const confirmEndStatement = {
  text: `UPDATE carrier_pauses SET tentative = false WHERE carrier = $1 AND tentative RETURNING id::float8 AS id`,
  shared: true,
} as const;

/**
 * Chooses a random message that a claim would hand to the carrier, so that a single refused message
 * cannot fail every probe. Parameters: carrier, and {@link CarrierSenders.values}.
 */
export const probeCandidateStatement = {
  text: `
SELECT id FROM (
  SELECT m.id FROM messages m JOIN accounts a ON a.id = m.account_id ${joinSenders('m', 2)} ${joinBought('m')}
  WHERE m.id = ANY(${checkedQueued(CHECKED_MAX)}) AND m.status = 'queued' AND a.blocked_at IS NULL
    AND a.delivery_suspended_at IS NULL AND ${carrierOfSender(2)} = $1 AND bought.has_left IS NOT TRUE
    AND NOT EXISTS (SELECT FROM opt_outs o WHERE o.recipient = m.recipient
      AND ${holdsFor('o', { account: 'm.account_id', sender: 'm.sender' })})
  LIMIT ${CANDIDATES_MAX}
) candidates
ORDER BY random() LIMIT 1`,
} as const;

const expired: PurgeRule = {
  table: 'carrier_pauses',
  key: ['id'],
  expired: 'resumed_at <= now() - make_interval(days => $1)',
};

/**
 * The pauses of the carriers, shared by all workers. They are in Postgres, so neither a restart nor the
 * loss of Redis resumes dispatch; the claim statement reads them.
 */
@Injectable()
export class DispatchPauses {
  constructor(
    private readonly postgres: Postgres,
    private readonly carrierSenders: CarrierSenders,
  ) {}

  /** Returns the current or latest pause of each carrier that had one. */
  latest(): Promise<DispatchPauseState[]> {
    return this.postgres.query<DispatchPauseState>(latestPausesStatement, []);
  }

  /**
   * Begins a pause unless the carrier is paused. Returns `repeated` when the same message began the
   * last pauses, each of which ended because the carrier accepted others: the refusal concerns the
   * message.
   */
  async begin(
    { carrier, messageId, httpStatus, carrierError }: PauseReason,
    probeSeconds: number,
  ): Promise<'begun' | 'lasting' | 'repeated'> {
    const values = [messageId, httpStatus, storableCode(carrierError), probeSeconds, carrier];
    const [result] = await this.postgres.query<{ repeated: boolean; begun: boolean }>(beginPauseStatement, values);
    if (result?.repeated) return 'repeated';
    return result?.begun ? 'begun' : 'lasting';
  }

  /** Returns true to one worker when the next probe is due. */
  async takeProbe(carrier: number, probeSeconds: number): Promise<boolean> {
    return (await this.postgres.query(takeProbeStatement, [carrier, probeSeconds])).length > 0;
  }

  /** Returns a message that waits for the carrier, for a probe; undefined when none waits. */
  async probeCandidate(carrier: number): Promise<string | undefined> {
    const values = [carrier, ...this.carrierSenders.values];
    const [found] = await this.postgres.queryEachInReach<{ id: string }>(probeCandidateStatement, values);
    return found?.id;
  }

  /** Has a worker probe every paused carrier at once. */
  async probeSoon(): Promise<void> {
    await this.postgres.query(probeSoonStatement, []);
  }

  /** Returns whether the carrier was paused. `isTentative`: nothing proves that it accepts messages. */
  async end(carrier: number, isTentative: boolean): Promise<boolean> {
    return (await this.postgres.query(endPauseStatement, [carrier, isTentative])).length > 0;
  }

  /** Makes the tentative end of a carrier's pause final; returns whether there was one. */
  async confirmEnd(carrier: number): Promise<boolean> {
    return (await this.postgres.query(confirmEndStatement, [carrier])).length > 0;
  }

  /** Deletes a batch of old pauses; returns whether there may be more. */
  purge(): Promise<boolean> {
    return purge(this.postgres, expired, [KEPT_DAYS]);
  }
}
