import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { Config } from '../platform/config/config.js';
import { boundedLine } from '../platform/database/bounded-line.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/database/retry-undone.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { OtpPayloads } from '../messages/otp-payloads/otp-payloads.js';
import { OtpCodesRepository, type NewCode } from './otp-codes.repository.js';
import { OtpGuardsRepository } from './otp-guards.repository.js';
import { OtpSecrets } from './otp-secrets.js';

const BATCH_MAX = 100;
/** Two would mostly wait for each other's accounts. */
const BATCHES_IN_FLIGHT_MAX = 1;
const CODES_TRIED_MAX = 20;
const RETRY_WHEN_CROWDED_SECONDS = 60;

/** A code to be made up; `textOf` words the message that brings it. */
export interface CodeOrder extends Omit<NewCode, 'codeHash'> {
  readonly textOf: (code: string) => string;
}

interface Candidate {
  readonly order: NewCode;
  readonly text: string;
}

type Outcome = 'reserved' | 'taken' | DomainError;

/**
 * Makes up codes, before their messages are accepted: a crash leaves a code that nobody got, never a sent one that is not
 * known. One transaction writes the code's hash and the sealed text, for all who ask at the same time.
 */
@Injectable()
export class ReserveCode {
  private readonly group: GroupCommit<Candidate, Outcome>;

  constructor(
    private readonly postgres: Postgres,
    private readonly guards: OtpGuardsRepository,
    private readonly codes: OtpCodesRepository,
    private readonly otpPayloads: OtpPayloads,
    private readonly secrets: OtpSecrets,
    config: Config,
  ) {
    this.group = new GroupCommit({
      ...boundedLine(config),
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => this.reserveAll(batch),
    });
  }

  /** Answers the refusal when the number has got too many codes, or no code of this length is free. */
  async run({ textOf, ...order }: CodeOrder): Promise<DomainError | undefined> {
    for (let tried = 0; tried < CODES_TRIED_MAX; tried += 1) {
      const code = this.secrets.generate(order.digits);
      const codeHash = this.secrets.hash(order.accountId, code);
      const outcome = await this.group.submit({ order: { ...order, codeHash }, text: textOf(code) });
      if (outcome === 'reserved') return undefined;
      if (outcome !== 'taken') return outcome;
    }
    const detail = 'Too many codes of this length are live. You were not charged; ask for longer ones.';
    return new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_WHEN_CROWDED_SECONDS });
  }

  /** The message was not accepted: the code counts for nothing. */
  async undo(id: string): Promise<void> {
    await this.codes.remove(id);
    await this.otpPayloads.forget({ id, kind: 'otp' });
  }

  private reserveAll(batch: Candidate[]): Promise<Outcome[]> {
    return retryUndone(() =>
      this.postgres.transaction(async (tx) => {
        const orders = batch.map(({ order }) => order);
        await this.guards.lock(
          tx,
          orders.map(({ accountId }) => accountId),
        );
        const refusals = tooMany(orders, await this.codes.recentSends(tx, orders));
        const open = batch.filter((_candidate, index) => refusals[index] === undefined);
        const reserved = await this.codes.insert(
          tx,
          open.map(({ order }) => order),
        );
        const sealed = open.filter(({ order }) => reserved.has(order.id));
        await this.otpPayloads.keep(
          tx,
          sealed.map(({ order, text }) => ({ messageId: order.id, text, usefulMinutes: order.minutes })),
        );
        return orders.map(({ id }, index) => refusals[index] ?? (reserved.has(id) ? 'reserved' : 'taken'));
      }),
    );
  }
}

/** Refuses those whose number has its codes for the window already; the ones before them in the batch count too. */
function tooMany(orders: readonly NewCode[], agesBefore: readonly number[][]): (DomainError | undefined)[] {
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
