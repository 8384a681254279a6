import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErrorCode } from '#contract/errors.js';
import { Config } from '../../platform/config/config.js';
import { Credits } from '../../credits/credits.js';
import { GroupCommit } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { retryUndone } from '../../platform/database/retry-undone.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import type { CarrierStatus } from '../dispatch/carrier.js';
import { MessageEvents } from './message-events.js';
import { advanceStatement, lookSoonStatement, releaseStatement } from './status-updates.sql.js';

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;
const FIRST_POLL_SECONDS = 60;
const SETTLE_SOON_SECONDS = 5;

const places: Record<CarrierStatus, number> = { sent: 1, delivered: 2, undelivered: 2, failed: 2 };

/** News of a message: from the carrier's answer, its receipts, or our own refusal to send it. */
export interface News {
  readonly id: string;
  readonly status: CarrierStatus;
  readonly carrierId: string | null;
  /** Why it failed, in our terms. */
  readonly errorCode?: ErrorCode | 'carrier_refused' | 'carrier_unavailable' | 'not_delivered' | 'expired';
  /** The carrier's own code. */
  readonly carrierError?: number | null;
  /** What brought it. */
  readonly origin?: RequestContext | undefined;
}

export interface Advance {
  readonly id: string;
  readonly accountId: string;
  readonly status: CarrierStatus;
  /** Credits given back by this advance. */
  readonly refunded: number;
  readonly recipient: string;
  readonly segments: number;
  readonly credits: number;
  readonly reference: string | null;
  readonly errorCode: string | null;
  readonly carrierError: number | null;
}

interface Release {
  readonly id: string;
  readonly attempts: number;
  readonly delayMs: number;
}

/** Moves messages along their states and gives credits back, once, when a message ends without delivery. */
@Injectable()
export class StatusUpdates {
  private readonly advances = this.group<News, Advance | undefined>((batch) => this.advanceAll(batch));
  private readonly releases = this.group<Release, boolean>((batch) => this.releaseAll(batch));

  constructor(
    private readonly postgres: Postgres,
    private readonly credits: Credits,
    private readonly news: AccountEvents,
    private readonly events: MessageEvents,
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {}

  /** Undefined when the message was as far already, or is not known. */
  advance(news: News): Promise<Advance | undefined> {
    return this.advances.submit(news);
  }

  /**
   * Back in line: the carrier surely has not taken it. `attempts` names the claim that ends; false when the message has come
   * further, or belongs to a newer claim.
   */
  release(id: string, attempts: number, delayMs: number): Promise<boolean> {
    return this.releases.submit({ id, attempts, delayMs });
  }

  /** Stays with the carrier's unknown answer; recovery settles it before its lease ends. */
  async settleSoon(id: string): Promise<void> {
    await this.postgres.query(lookSoonStatement, [[id], SETTLE_SOON_SECONDS]);
  }

  private group<In, Out>(run: (batch: In[]) => Promise<Out[]>): GroupCommit<In, Out> {
    return new GroupCommit({
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      waitingMax: WAITING_MAX,
      run,
      onFull: () => new Error('Too many messages wait to be recorded'),
    });
  }

  private async advanceAll(batch: News[]): Promise<(Advance | undefined)[]> {
    const rows = await retryUndone(() => this.write(furthest(batch)));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return batch.map(({ id, status }) => {
      const row = byId.get(id);
      return row?.status === status ? row : undefined;
    });
  }

  /** The same within the caller's transaction, of one message. */
  async advanceIn(tx: EntityManager, news: News): Promise<Advance | undefined> {
    const [advance] = await this.writeIn(tx, [news]);
    return advance;
  }

  /** State, refund and webhook change in one transaction; a batch of the state alone needs none of its own. */
  private async write(news: News[]): Promise<Advance[]> {
    if (!(await this.events.areWanted()) && !news.some((one) => this.refunds(one))) {
      const advances = await this.postgres.query<Advance>(advanceStatement, this.valuesOf(news));
      this.tell(advances);
      return advances;
    }
    return this.postgres.transaction((tx) => this.writeIn(tx, news));
  }

  private async writeIn(tx: EntityManager, news: News[]): Promise<Advance[]> {
    const advances = await tx.query<Advance[]>(advanceStatement.text, this.valuesOf(news));
    const refunds = advances
      .filter(({ refunded }) => refunded > 0)
      .map(({ id, accountId, refunded }) => ({ accountId, amount: refunded, kind: 'refund' as const, sourceId: id }));
    await this.credits.post(tx, refunds);
    const webhooks = await this.events.record(tx, advances, new Map(news.map(({ id, origin }) => [id, origin])));
    this.postgres.afterCommit(tx, () => {
      this.tell(advances);
      this.events.wake(webhooks);
      for (const { amount } of refunds) {
        this.metrics.refunds.inc();
        this.metrics.refundedCredits.inc(amount);
      }
    });
    return advances;
  }

  private tell(moved: readonly { accountId: string; id: string }[]): void {
    for (const { accountId, id } of moved) this.news.changed(accountId, id);
  }

  private valuesOf(news: News[]): unknown[] {
    return [
      news.map(({ id }) => id),
      news.map(({ status }) => status),
      news.map(({ carrierId }) => carrierId),
      news.map(({ errorCode }) => errorCode ?? null),
      news.map(({ carrierError }) => carrierError ?? null),
      news.map((one) => this.refunds(one)),
      news.map(({ status }) => (status === 'sent' ? FIRST_POLL_SECONDS : null)),
    ];
  }

  /** No delivery, no charge; REFUND_UNDELIVERED=false limits that to messages the carrier never accepted. */
  private refunds({ status, carrierId }: News): boolean {
    if (status !== 'failed' && status !== 'undelivered') return false;
    return carrierId === null || this.config.dispatch.refundUndelivered;
  }

  private async releaseAll(batch: Release[]): Promise<boolean[]> {
    const rows = await this.postgres.query<{ id: string; accountId: string }>(releaseStatement, [
      batch.map(({ id }) => id),
      batch.map(({ attempts }) => attempts),
      batch.map(({ delayMs }) => Math.round(delayMs)),
    ]);
    this.tell(rows);
    const released = new Set(rows.map(({ id }) => id));
    return batch.map(({ id }) => released.has(id));
  }
}

/** One piece of news per message, in the order of ids: of several in a batch the one furthest on, else the earliest. */
function furthest(batch: News[]): News[] {
  const byId = new Map<string, News>();
  for (const news of batch) {
    const other = byId.get(news.id);
    if (!other || places[news.status] > places[other.status]) byId.set(news.id, news);
  }
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
