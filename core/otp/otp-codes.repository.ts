import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import { liveCodesCountedMax, type LiveCodes } from '../rules/otp.js';
import {
  countLive,
  endExpired,
  insertCodes,
  knownCodes,
  purgeCodes,
  PURGED_MAX,
  recentSends,
  writeCodes,
} from './otp-codes.sql.js';

export interface NewCode {
  /** The message's id. */
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly codeHash: Buffer;
  readonly digits: number;
  readonly minutes: number;
  readonly reference: string | undefined;
}

export interface Guess {
  readonly accountId: string;
  readonly codeHash: Buffer;
  /** Undefined when the caller does not say whose code it is. */
  readonly recipient: string | undefined;
}

/** A code that a guess is about. */
export interface KnownCode {
  readonly id: string;
  readonly recipient: string;
  readonly reference: string | null;
  /** When it ends, or has ended. */
  readonly endsAt: Date;
  /** `over`: expired, or dead of wrong tries. */
  state: 'live' | 'used' | 'over';
  wrongTries: number;
}

/** What is known about one guess: the code it hits, and the recipient's live codes, hit or not. */
export interface KnownAboutGuess {
  hit: KnownCode | undefined;
  readonly live: KnownCode[];
}

/** One-time passwords that live, and those that did in the last day. */
@Injectable()
export class OtpCodesRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Seconds since each code that the account sent to the number within the window, for every pair. */
  async recentSends(
    tx: EntityManager,
    pairs: readonly Pick<NewCode, 'accountId' | 'recipient'>[],
  ): Promise<number[][]> {
    const rows = await tx.query<{ ages: number[] }[]>(recentSends, [
      pairs.map(({ accountId }) => accountId),
      pairs.map(({ recipient }) => recipient),
      limits.otpSendWindowSeconds,
      limits.otpSendsMax,
    ]);
    return rows.map(({ ages }) => ages);
  }

  /** Answers the ids of those written; the others' codes are live already. The caller has locked the accounts. */
  async insert(tx: EntityManager, codes: readonly NewCode[]): Promise<Set<string>> {
    const written = await this.insertFree(tx, codes);
    const rest = codes.filter(({ id }) => !written.has(id));
    if (rest.length === 0) return written;
    await tx.query(endExpired, [rest.map(({ accountId }) => accountId), rest.map(({ codeHash }) => codeHash)]);
    return new Set([...written, ...(await this.insertFree(tx, rest))]);
  }

  private async insertFree(tx: EntityManager, codes: readonly NewCode[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }[]>(insertCodes, [
      codes.map(({ accountId }) => accountId),
      codes.map(({ codeHash }) => codeHash),
      codes.map(({ id }) => id),
      codes.map(({ recipient }) => recipient),
      codes.map(({ digits }) => digits),
      codes.map(({ minutes }) => minutes),
      codes.map(({ reference }) => reference ?? null),
      limits.otpRememberedHours,
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** The codes that guesses are about; a code that several guesses are about is one object. */
  async known(tx: EntityManager, guesses: readonly Guess[]): Promise<KnownAboutGuess[]> {
    const rows = await tx.query<(KnownCode & { n: number; isHit: boolean })[]>(knownCodes, [
      guesses.map(({ accountId }) => accountId),
      guesses.map(({ codeHash }) => codeHash),
      guesses.map(({ recipient }) => recipient ?? null),
      limits.otpMinutesMax,
    ]);
    const codes = new Map<string, KnownCode>();
    const known = guesses.map((): KnownAboutGuess => ({ hit: undefined, live: [] }));
    for (const { n, isHit, ...row } of rows) {
      const code = codes.get(row.id) ?? row;
      codes.set(row.id, code);
      const about = known[n - 1];
      if (isHit && about) about.hit = code;
      else about?.live.push(code);
    }
    return known;
  }

  /** The accounts' live codes by length, each length counted up to a bound. */
  async countLive(tx: EntityManager, accountIds: Iterable<string>): Promise<Map<string, LiveCodes[]>> {
    const wanted = [...new Set(accountIds)];
    if (wanted.length === 0) return new Map();
    const rows = await tx.query<(LiveCodes & { accountId: string })[]>(countLive, [
      wanted,
      limits.otpDigitsMin,
      limits.otpDigitsMax,
      liveCodesCountedMax,
    ]);
    const counts = new Map(wanted.map((accountId) => [accountId, [] as LiveCodes[]]));
    for (const { accountId, ...count } of rows) counts.get(accountId)?.push(count);
    return counts;
  }

  /** Writes down what became of live codes. */
  async write(tx: EntityManager, codes: readonly KnownCode[]): Promise<void> {
    if (codes.length === 0) return;
    await tx.query(writeCodes, [
      codes.map(({ id }) => id),
      codes.map(({ state }) => state),
      codes.map(({ wrongTries }) => wrongTries),
    ]);
  }

  async remove(id: string): Promise<void> {
    await this.postgres.query({ name: 'otp-remove-1', text: 'DELETE FROM otp_codes WHERE id = $1 RETURNING 1' }, [id]);
  }

  /** Forgets at most a batch of those that ended long enough ago; answers whether there may be more. */
  async purge(): Promise<boolean> {
    return (await this.postgres.query(purgeCodes, [])).length === PURGED_MAX;
  }
}
