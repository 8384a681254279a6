import { Injectable } from '@nestjs/common';
import { isRetryable } from '../../platform/database/database-error.js';
import { GroupCommit } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { newMessageId } from '../../rules/ids.js';
import type { ClaimedDelivery } from './claims.sql.js';
import { outcomeStatement, parkStatement, unparkStatement } from './outcomes.sql.js';

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;
const RETRIES_MAX = 3;
const UNPARKED_MAX = 500;

/** One attempt, and what becomes of the delivery by it. */
export interface AttemptOutcome {
  readonly claim: Pick<ClaimedDelivery, 'id' | 'attempts' | 'accountId'>;
  readonly verdict: 'delivered' | 'waiting' | 'failed';
  /** Until the next attempt; null when there is none. */
  readonly waitSeconds: number | null;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null without an answer; `error` says why then. */
  readonly status: number | null;
  readonly answer: string;
  readonly error: string | null;
}

interface Parked {
  readonly id: string;
  readonly waitMs: number;
}

/** Writes down what came of attempts, and what has to wait. */
@Injectable()
export class Outcomes {
  private readonly attempts = group<AttemptOutcome, boolean>((batch) => this.writeAll(batch));
  private readonly parked = group<Parked, void>((batch) => this.parkAll(batch));

  constructor(private readonly postgres: Postgres) {}

  /** Answers whether the account's webhook has done nothing but fail for days. */
  record(outcome: AttemptOutcome): Promise<boolean> {
    return this.attempts.submit(outcome);
  }

  /** Aside for a while, with no attempt counted. */
  park(id: string, waitMs: number): Promise<void> {
    return this.parked.submit({ id, waitMs: Math.round(waitMs) });
  }

  /** What was put aside for this account may come now. */
  async unpark(accountId: string): Promise<void> {
    await this.postgres.query(unparkStatement, [accountId, UNPARKED_MAX]);
  }

  private async writeAll(batch: AttemptOutcome[], attempt = 1): Promise<boolean[]> {
    try {
      const rows = await this.postgres.query<{ accountId: string }>(outcomeStatement, valuesOf(batch));
      const hopeless = new Set(rows.map(({ accountId }) => accountId));
      return batch.map(({ claim }) => hopeless.has(claim.accountId));
    } catch (error) {
      if (isRetryable(error) && attempt < RETRIES_MAX) return this.writeAll(batch, attempt + 1);
      throw error;
    }
  }

  private async parkAll(batch: Parked[]): Promise<void[]> {
    await this.postgres.query(parkStatement, [batch.map(({ id }) => id), batch.map(({ waitMs }) => waitMs)]);
    return batch.map(() => undefined);
  }
}

function group<In, Out>(run: (batch: In[]) => Promise<Out[]>): GroupCommit<In, Out> {
  return new GroupCommit({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run,
    onFull: () => new Error('Too many webhooks wait to be recorded'),
  });
}

function valuesOf(batch: AttemptOutcome[]): unknown[] {
  return [
    batch.map(({ claim }) => claim.id),
    batch.map(({ claim }) => claim.attempts),
    batch.map(({ claim }) => claim.accountId),
    batch.map(({ verdict }) => verdict),
    batch.map(({ waitSeconds }) => waitSeconds),
    batch.map(() => newMessageId()),
    batch.map(({ startedAt }) => startedAt),
    batch.map(({ durationMs }) => Math.round(durationMs)),
    batch.map(({ status }) => status),
    batch.map(({ answer }) => answer),
    batch.map(({ error }) => error),
  ];
}
