import { createHmac, createSecretKey, randomInt, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { OtpPayloads } from '../messages/otp-payloads.js';
import { Config } from '../platform/config/config.js';
import { boundedLine } from '../platform/database/bounded-line.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/database/retry-undone.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { OtpCodesRepository, type NewCode } from './otp-codes.repository.js';

const BATCH_MAX = 100;
/** Two would mostly wait for each other's locks. */
const BATCHES_IN_FLIGHT_MAX = 1;
const CODES_TRIED_MAX = 20;
const RETRY_WHEN_CROWDED_SECONDS = 60;

/** A code to reserve; `textOf` returns the text of the message that carries it. */
export interface CodeOrder extends Omit<NewCode, 'codeHash'> {
  readonly textOf: (code: string) => string;
}

interface Candidate {
  readonly order: NewCode;
  readonly text: string;
}

type Outcome = 'reserved' | 'taken' | DomainError;

/** Generates one-time passwords and hashes them: the database stores HMAC-SHA-256 only. */
@Injectable()
export class OtpSecrets {
  private readonly hashSecret: KeyObject;

  constructor({ otp }: Config) {
    this.hashSecret = createSecretKey(otp.hashSecret, 'base64');
  }

  /** Every text of `digits` digits is equally likely, those with leading zeros included. */
  generate(digits: number): string {
    return String(randomInt(10 ** digits)).padStart(digits, '0');
  }

  /** Includes the account, so that equal codes of two accounts have different hashes. */
  hash(accountId: string, code: string): Buffer {
    return createHmac('sha256', this.hashSecret).update(`${accountId}:${code}`).digest();
  }
}

/**
 * Reserves codes before their messages are accepted: a crash leaves a code that was never sent, not a sent code that cannot be
 * verified. Requests that arrive together share a transaction, which stores the codes' hashes and the encrypted texts.
 */
@Injectable()
export class ReserveCode {
  private readonly candidates: GroupCommit<Candidate, Outcome>;

  constructor(
    private readonly postgres: Postgres,
    private readonly codes: OtpCodesRepository,
    private readonly otpPayloads: OtpPayloads,
    private readonly secrets: OtpSecrets,
    config: Config,
  ) {
    this.candidates = new GroupCommit({
      ...boundedLine(config),
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => this.reserveBatch(batch),
    });
  }

  /** Returns `rate_limited` when the recipient was sent too many codes, and `unavailable` when no code of this length is free. */
  async reserve({ textOf, ...order }: CodeOrder): Promise<DomainError | undefined> {
    for (let tried = 0; tried < CODES_TRIED_MAX; tried += 1) {
      const code = this.secrets.generate(order.digits);
      const codeHash = this.secrets.hash(order.accountId, code);
      const outcome = await this.candidates.submit({ order: { ...order, codeHash }, text: textOf(code) });
      if (outcome === 'reserved') return undefined;
      if (outcome !== 'taken') return outcome;
    }
    const detail = 'Too many codes of this length are live. You were not charged; ask for longer ones.';
    return new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_WHEN_CROWDED_SECONDS });
  }

  /** Removes a code whose message was not accepted. */
  async release(id: string): Promise<void> {
    await this.codes.remove(id);
    await this.otpPayloads.forget({ id, kind: 'otp' });
  }

  private reserveBatch(batch: Candidate[]): Promise<Outcome[]> {
    return retryUndone(() =>
      this.postgres.transaction(async (tx) => {
        const orders = batch.map(({ order }) => order);
        await this.codes.lockGuards(
          tx,
          orders.map(({ accountId }) => accountId),
        );
        const refusals = refusalsOf(orders, await this.codes.recentSends(tx, orders));
        const open = batch.filter((_candidate, index) => refusals[index] === undefined);
        const reserved = await this.codes.insert(
          tx,
          open.map(({ order }) => order),
        );
        const kept = open.filter(({ order }) => reserved.has(order.id));
        await this.otpPayloads.keep(
          tx,
          kept.map(({ order, text }) => ({ messageId: order.id, text, usefulMinutes: order.minutes })),
        );
        return orders.map(({ id }, index) => refusals[index] ?? (reserved.has(id) ? 'reserved' : 'taken'));
      }),
    );
  }
}

/** Refuses codes for a recipient that has been sent the maximum in the window; earlier orders of the batch count. */
function refusalsOf(orders: readonly NewCode[], agesBefore: readonly number[][]): (DomainError | undefined)[] {
  const agesOf = new Map<string, number[]>();
  return orders.map(({ accountId, recipient }, index) => {
    const pair = `${accountId} ${recipient}`;
    const ages = agesOf.get(pair) ?? agesBefore[index] ?? [];
    const oldest = ages[limits.otpSendsMax - 1];
    agesOf.set(pair, oldest === undefined ? [0, ...ages] : ages);
    if (oldest === undefined) return undefined;
    return new DomainError(
      'rate_limited',
      `This number has got ${limits.otpSendsMax} codes in ${limits.otpSendWindowSeconds / 60} minutes. You were not charged.`,
      { retryAfterSeconds: Math.max(1, limits.otpSendWindowSeconds - oldest) },
    );
  });
}
