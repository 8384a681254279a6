import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { newYorkDayOf } from '../messages/store/day-reservations.sql.js';
import type { EncryptedText } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import { liveCodesCountedMax, type LiveCodes } from '../rules/otp.js';
import type { Guess, KnownAboutGuess, KnownCode, ShortChances } from './judge-guess.js';
import { lockGuards } from './guard/otp-guards.sql.js';
import type { OtpPlan } from './steps/otp-plan.js';
import { OtpStepsRepository, type StepFields } from './steps/otp-steps.repository.js';

export interface NewCode {
  /** Undefined for a code without channels. */
  readonly plan?: OtpPlan | undefined;
  /** The message's id. */
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Named key that sends the code; null for the account's default key. */
  readonly keyId: string | null;
  /** Null for a code that the caller has made, which is not ours to verify. */
  readonly codeHash: Buffer | null;
  /** Characters of the code. */
  readonly digits: number;
  readonly minutes: number;
  readonly reference: string | undefined;
  /** Wording of the message and the code, for resends; null for a code that the caller has made. */
  readonly wording: EncryptedText | null;
}

export interface InsertedCode {
  readonly id: string;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** A code that has ended unverified. */
export interface ExpiredCode {
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly reference: string | null;
  readonly endsAt: Date;
}

export interface KnownCodeRow extends Omit<KnownCode, 'short' | 'chances'> {
  /** The place of the guess in the batch, from 1. */
  readonly n: number;
  /** True if the guess hits this code; otherwise it is another live code of the recipient. */
  readonly isHit: boolean;
  /** Figures of the recipient's shortest codes; null for a longer code. */
  readonly shortUsed: number | null;
  readonly shortLive: number | null;
  readonly shortSecondsLeft: number | null;
}

/** The day of a code in `otp_days`. */
const dayOfCode = newYorkDayOf('created_at');

/**
 * Ends the live and expired codes `c` that meet a condition. A code without a message was never
 * sent, so it no longer counts: a crash left it.
 */
const endExpiredOf = (condition: string) => `
WITH lost AS (
  SELECT c.id, c.account_id, ${dayOfCode} AS day, c.country FROM otp_codes c
  WHERE ${condition} AND c.state = 'live' AND c.expires_at <= now() AND c.country IS NOT NULL
    AND NOT EXISTS (SELECT FROM messages m WHERE m.id = c.id)
  FOR UPDATE
),
uncounted AS (
  UPDATE otp_days d SET sent = d.sent - l.codes
  FROM (SELECT account_id, day, country, count(*) AS codes FROM lost GROUP BY account_id, day, country) l
  WHERE d.account_id = l.account_id AND d.day = l.day AND d.country = l.country
)
UPDATE otp_codes c SET state = 'over', ended_at = c.expires_at, wording = NULL, step_at = NULL,
  country = CASE WHEN c.id IN (SELECT id FROM lost) THEN NULL ELSE c.country END
WHERE ${condition} AND c.state = 'live' AND c.expires_at <= now()
RETURNING c.id, c.account_id AS "accountId", c.recipient, c.reference, c.expires_at AS "endsAt"`;

/**
 * Live codes of an account are unique, so an expired code has to end before its digits are used
 * again. Parameters: accounts, hashes.
 */
export const endReplaced = {
  name: 'otp-end-replaced-2',
  text: endExpiredOf('(c.account_id, c.code_hash) IN (SELECT * FROM unnest($1::uuid[], $2::bytea[]))'),
} as const;

/**
 * Parameter: maximum. `forget_at` is `expires_at` plus the hours for which a code is remembered,
 * and is indexed.
 */
export const findExpired = {
  name: 'otp-expired-1',
  text: `
SELECT id, account_id AS "accountId" FROM otp_codes
WHERE state = 'live' AND forget_at <= now() + make_interval(hours => ${limits.otpRememberedHours})
ORDER BY forget_at LIMIT $1`,
} as const;

/** Parameter: ids. */
export const endExpired = {
  name: 'otp-end-expired-2',
  text: endExpiredOf('c.id = ANY ($1::uuid[])'),
} as const;

/**
 * Inserts codes that are not live in their account, and counts them. A code without a hash, which its
 * caller has made, is over from the beginning, and not counted. `$10`: hours for which a code is kept
 * after its end.
 */
export const insertCodes = {
  name: 'otp-insert-2',
  text: `
WITH inserted AS (
  INSERT INTO otp_codes (
    id, account_id, recipient, code_hash, digits, reference, wording, encryption_key_id, country, key_id,
    expires_at, forget_at, state, ended_at
  )
  SELECT v.id, v.account_id, v.recipient, v.code_hash, v.digits, v.reference, v.wording, v.encryption_key_id,
    v.country, v.key_id, now() + make_interval(mins => v.minutes),
    now() + make_interval(mins => v.minutes, hours => $10),
    CASE WHEN v.code_hash IS NULL THEN 'over' ELSE 'live' END, CASE WHEN v.code_hash IS NULL THEN now() END
  FROM unnest(
    $1::uuid[], $2::bytea[], $3::uuid[], $4::text[], $5::smallint[], $6::integer[], $7::text[], $8::bytea[],
    $9::text[], $11::text[], $12::uuid[]
  ) AS v (
    account_id, code_hash, id, recipient, digits, minutes, reference, wording, encryption_key_id, country, key_id
  )
  ON CONFLICT (account_id, code_hash) WHERE state = 'live' DO NOTHING
  RETURNING id, account_id, country, created_at, expires_at, state
),
counted AS (
  INSERT INTO otp_days AS d (account_id, day, country, sent)
  SELECT account_id, ${dayOfCode} AS day, country, count(*) FROM inserted WHERE state = 'live'
  GROUP BY account_id, day, country ORDER BY account_id, day, country
  ON CONFLICT (account_id, day, country) DO UPDATE SET sent = d.sent + excluded.sent
)
SELECT id, created_at AS "sentAt", expires_at AS "expiresAt" FROM inserted`,
} as const;

/** Stores the plans of new codes, whose first step begins. Parameters: arrays of code, plan, seconds until the next. */
export const storePlans = {
  name: 'otp-plans-1',
  text: `
UPDATE otp_codes c SET steps = v.steps, step = 1, step_at = now() + make_interval(secs => v.wait_seconds)
FROM unnest($1::uuid[], $2::jsonb[], $3::integer[]) AS v (id, steps, wait_seconds)
WHERE c.id = v.id`,
} as const;

const WINDOW = `make_interval(secs => ${limits.otpShortChancesSeconds})`;

const codeColumns = `
  c.id, c.step::integer AS step, c.account_id AS "accountId", c.recipient, c.digits, c.reference, least(c.expires_at,
    c.ended_at) AS "endsAt", c.wrong_tries AS "wrongTries",
  CASE WHEN c.state = 'live' AND c.expires_at <= now() THEN 'over' ELSE c.state END AS state`;

/**
 * Returns for each guess the code that it hits (preferably a live code, then a used code, then the
 * newest) and the live codes that it names, by recipient or OTP id. Parameters: accounts, hashes,
 * recipients or null, longest lifetime in minutes, OTP ids or null. For a code of the shortest
 * length the row also has the guesses at all codes of that length of its recipient.
 */
export const knownCodes = {
  name: 'otp-known-2',
  text: `
SELECT g.n::int, found.id, found.step, found."accountId", found.recipient, found.reference, found."endsAt",
  found."wrongTries", found.state,
  found."isHit", short.used AS "shortUsed", short.live AS "shortLive", short.seconds_left AS "shortSecondsLeft"
FROM unnest($1::uuid[], $2::bytea[], $3::text[], $5::uuid[])
  WITH ORDINALITY AS g (account_id, code_hash, recipient, otp_id, n)
CROSS JOIN LATERAL (
  (
    SELECT ${codeColumns}, true AS "isHit"
    FROM otp_codes c
    WHERE c.account_id = g.account_id AND c.code_hash = g.code_hash
      AND (g.recipient IS NULL OR c.recipient = g.recipient) AND (g.otp_id IS NULL OR c.id = g.otp_id)
    ORDER BY c.state = 'live' AND c.expires_at > now() DESC, c.state = 'used' DESC, c.created_at DESC
    LIMIT 1
  )
  UNION ALL
  (
    SELECT ${codeColumns}, false AS "isHit"
    FROM otp_codes c
    WHERE g.otp_id IS NULL AND c.account_id = g.account_id AND c.recipient = g.recipient
      AND c.state = 'live' AND c.expires_at > now() AND c.created_at > now() - make_interval(mins => $4)
  )
  UNION ALL
  (
    SELECT ${codeColumns}, false AS "isHit"
    FROM otp_codes c
    WHERE c.id = g.otp_id AND c.account_id = g.account_id AND (g.recipient IS NULL OR c.recipient = g.recipient)
      AND c.state = 'live' AND c.expires_at > now()
  )
) found
LEFT JOIN LATERAL (
  SELECT coalesce(sum(o.chances) FILTER (WHERE o.tried_at > now() - ${WINDOW}), 0)::int AS used,
    (count(*) FILTER (WHERE o.state = 'live' AND o.expires_at > now()))::int AS live,
    coalesce(ceil(extract(epoch FROM min(o.tried_at) FILTER (WHERE o.tried_at > now() - ${WINDOW}) +
      ${WINDOW} - now())), 0)::int
      AS seconds_left
  FROM otp_codes o
  WHERE o.account_id = g.account_id AND o.recipient = found.recipient AND o.digits = ${limits.otpDigitsMin}
    AND o.created_at > now() - ${WINDOW} - make_interval(mins => $4)
) short ON found.digits = ${limits.otpDigitsMin}
ORDER BY g.n`,
} as const;

/** Parameters: accounts, fewest and most digits, bound of a count. */
export const countLiveCodes = {
  name: 'otp-live-1',
  text: `
SELECT a.account_id AS "accountId", d.digits, live.count
FROM unnest($1::uuid[]) AS a (account_id)
CROSS JOIN generate_series($2::int, $3::int) AS d (digits)
CROSS JOIN LATERAL (
  SELECT count(*)::int AS count
  FROM (
    SELECT 1 FROM otp_codes c
    WHERE c.account_id = a.account_id AND c.digits = d.digits AND c.state = 'live' AND c.expires_at > now()
    LIMIT $4
  ) counted
) live
WHERE live.count > 0`,
} as const;

/**
 * Updates only live codes, and counts verified codes. Parameters: ids, states, wrong tries, further
 * chances.
 */
const writeCodes = {
  name: 'otp-write-2',
  text: `
WITH written AS (
  UPDATE otp_codes c
  SET state = v.state, wrong_tries = v.wrong_tries, ended_at = CASE WHEN v.state = 'live' THEN NULL ELSE now() END,
    step_at = CASE WHEN v.state = 'live' THEN c.step_at END,
    wording = CASE WHEN v.state = 'live' THEN c.wording END, last_attempt_at = now(),
    chances = c.chances + v.chances, tried_at = CASE WHEN v.chances > 0 THEN now() ELSE c.tried_at END
  FROM unnest($1::uuid[], $2::text[], $3::smallint[], $4::smallint[]) AS v (id, state, wrong_tries, chances)
  WHERE c.id = v.id AND c.state = 'live'
  RETURNING c.account_id, c.created_at, c.country, c.state
)
UPDATE otp_days d SET verified = d.verified + w.codes
FROM (
  SELECT account_id, ${dayOfCode} AS day, country, count(*) AS codes FROM written WHERE state = 'used'
  GROUP BY account_id, day, country
) w
WHERE d.account_id = w.account_id AND d.day = w.day AND d.country = w.country`,
} as const;

/**
 * Counts short guesses that named no recipient at every code that they could have been. Parameters:
 * accounts, guesses.
 */
const tryShortCodes = {
  name: 'otp-try-short-1',
  text: `
UPDATE otp_codes c SET chances = c.chances + v.guesses, tried_at = now()
FROM unnest($1::uuid[], $2::smallint[]) AS v (account_id, guesses)
WHERE c.account_id = v.account_id AND c.digits = ${limits.otpDigitsMin} AND c.state = 'live' AND c.expires_at > now()`,
} as const;

/** Parameter: ids. */
export const removeCodes = {
  name: 'otp-remove-4',
  text: `
WITH removed AS (
  DELETE FROM otp_codes WHERE id = ANY ($1::uuid[])
  RETURNING account_id, ${dayOfCode} AS day, country, (code_hash IS NOT NULL)::int AS counted,
    (state = 'used')::int AS used
),
uncounted AS (
  UPDATE otp_days d SET sent = d.sent - r.sent, verified = d.verified - r.used
  FROM (
    SELECT account_id, day, country, sum(counted) AS sent, sum(used) AS used FROM removed
    GROUP BY account_id, day, country
  ) r
  WHERE d.account_id = r.account_id AND d.day = r.day AND d.country = r.country
)
SELECT count(*)::int AS removed FROM removed`,
} as const;

/** Parameters: accounts, recipients. */
const noteVerified = {
  name: 'otp-verified-numbers-1',
  text: `
INSERT INTO verified_numbers (account_id, recipient)
SELECT n.account_id, n.recipient FROM unnest($1::uuid[], $2::text[]) AS n (account_id, recipient)
WHERE EXISTS (SELECT FROM accounts a WHERE a.id = n.account_id AND a.own_numbers_only OFFSET 0)
ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
} as const;

/** One-time passwords, kept until a day after their end. */
@Injectable()
export class OtpCodesRepository {
  constructor(
    private readonly postgres: Postgres,
    private readonly steps: OtpStepsRepository,
  ) {}

  /**
   * Inserts codes. Returns the inserted codes, by id, and expired codes that ended because their
   * digits were needed; the other codes are live in their account. The caller holds the locks.
   */
  async insert(
    tx: EntityManager,
    codes: readonly NewCode[],
  ): Promise<{ inserted: Map<string, InsertedCode>; expired: ExpiredCode[] }> {
    const free = await this.insertFree(tx, codes);
    const inserted = new Map(free.map((code) => [code.id, code]));
    const rest = codes.filter(({ id }) => !inserted.has(id));
    if (rest.length === 0) return { inserted, expired: [] };
    const replaced = [rest.map(({ accountId }) => accountId), rest.map(({ codeHash }) => codeHash)];
    const expired = await this.postgres.run<ExpiredCode>(tx, endReplaced, replaced);
    for (const code of await this.insertFree(tx, rest)) inserted.set(code.id, code);
    return { inserted, expired };
  }

  /** Stores the plans of codes with channels. */
  async storePlans(
    tx: EntityManager,
    plans: readonly { readonly id: string; readonly plan: OtpPlan }[],
  ): Promise<void> {
    if (plans.length === 0) return;
    await this.postgres.run(tx, storePlans, [
      plans.map(({ id }) => id),
      plans.map(({ plan }) => JSON.stringify(plan)),
      // After a plan's only step none follows.
      plans.map(({ plan: { plan } }) => (plan.length > 1 ? (plan[0]?.waitSeconds ?? null) : null)),
    ]);
  }

  /** Ends a batch of expired codes and returns them. Another process may have ended some. */
  async endExpired(tx: EntityManager, codesMax: number): Promise<{ found: number; expired: ExpiredCode[] }> {
    const found = await this.postgres.run<{ id: string; accountId: string }>(tx, findExpired, [codesMax]);
    if (found.length === 0) return { found: 0, expired: [] };
    await lockGuards(this.postgres, tx, found);
    const expired = await this.postgres.run<ExpiredCode>(tx, endExpired, [found.map(({ id }) => id)]);
    return { found: found.length, expired };
  }

  private async insertFree(tx: EntityManager, codes: readonly NewCode[]): Promise<InsertedCode[]> {
    return this.postgres.run<InsertedCode>(tx, insertCodes, [
      codes.map(({ accountId }) => accountId),
      codes.map(({ codeHash }) => codeHash),
      codes.map(({ id }) => id),
      codes.map(({ recipient }) => recipient),
      codes.map(({ digits }) => digits),
      codes.map(({ minutes }) => minutes),
      codes.map(({ reference }) => reference ?? null),
      codes.map(({ wording }) => wording?.ciphertext ?? null),
      codes.map(({ wording }) => wording?.keyId ?? null),
      limits.otpRememberedHours,
      codes.map(({ country }) => country),
      codes.map(({ keyId }) => keyId),
    ]);
  }

  /** Returns the known codes of each guess. A code that several guesses concern is one object. */
  async known(tx: EntityManager, guesses: readonly Guess[]): Promise<KnownAboutGuess[]> {
    const rows = await this.postgres.run<KnownCodeRow>(tx, knownCodes, [
      guesses.map(({ accountId }) => accountId),
      guesses.map(({ codeHash }) => codeHash),
      guesses.map(({ recipient }) => recipient ?? null),
      limits.otpMinutesMax,
      guesses.map(({ otpId }) => otpId ?? null),
    ]);
    const codes = new Map<string, KnownCode>();
    const shorts = new Map<string, ShortChances>();
    const known = guesses.map((): KnownAboutGuess => ({ hit: undefined, live: [] }));
    for (const { n, isHit, accountId, shortUsed, shortLive, shortSecondsLeft, ...row } of rows) {
      const pair = `${accountId} ${row.recipient}`;
      if (shortUsed !== null && !shorts.has(pair))
        shorts.set(pair, { accountId, used: shortUsed, live: shortLive ?? 0, secondsLeft: shortSecondsLeft ?? 0 });
      const code = codes.get(row.id) ?? {
        ...row,
        accountId,
        chances: 0,
        short: shortUsed === null ? undefined : shorts.get(pair),
      };
      codes.set(row.id, code);
      const about = known[n - 1];
      if (isHit && about) about.hit = code;
      else about?.live.push(code);
    }
    return known;
  }

  /** Counts the accounts' live codes by length, each length up to a bound. */
  async countLive(tx: EntityManager, accountIds: Iterable<string>): Promise<Map<string, LiveCodes[]>> {
    const wanted = [...new Set(accountIds)];
    if (wanted.length === 0) return new Map();
    const rows = await this.postgres.run<LiveCodes & { accountId: string }>(tx, countLiveCodes, [
      wanted,
      limits.otpDigitsMin,
      limits.otpDigitsMax,
      liveCodesCountedMax,
    ]);
    const counts = new Map(wanted.map((accountId) => [accountId, [] as LiveCodes[]]));
    for (const { accountId, ...count } of rows) counts.get(accountId)?.push(count);
    return counts;
  }

  /**
   * Remembers numbers that accounts with only free credits have verified: they may send messages
   * there.
   */
  async noteVerified(
    tx: EntityManager,
    verified: readonly { readonly accountId: string; readonly recipient: string }[],
  ): Promise<void> {
    if (verified.length === 0) return;
    await this.postgres.run(tx, noteVerified, [
      verified.map(({ accountId }) => accountId),
      verified.map(({ recipient }) => recipient),
    ]);
  }

  /** Writes states and wrong tries of live codes. */
  async write(tx: EntityManager, codes: readonly KnownCode[]): Promise<void> {
    if (codes.length === 0) return;
    await this.postgres.run(tx, writeCodes, [
      codes.map(({ id }) => id),
      codes.map(({ state }) => state),
      codes.map(({ wrongTries }) => wrongTries),
      codes.map(({ chances }) => chances),
    ]);
  }

  /** Ends the steps of codes that have ended, and returns the fields of their events, by code. */
  async endSteps(tx: EntityManager, codes: readonly KnownCode[]): Promise<ReadonlyMap<string, StepFields>> {
    const ids = codes.filter(({ step, state }) => step !== null && state !== 'live').map(({ id }) => id);
    await this.steps.end(tx, ids);
    return this.steps.eventFields(tx, ids);
  }

  /**
   * Counts short guesses without a recipient, by account, at all codes that they could have been.
   */
  async tryShortCodes(tx: EntityManager, guesses: ReadonlyMap<string, number>): Promise<void> {
    if (guesses.size > 0) await this.postgres.run(tx, tryShortCodes, [[...guesses.keys()], [...guesses.values()]]);
  }

  /** Deletes codes, which no longer count. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.postgres.query(removeCodes, [ids]);
  }
}
