import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DispatchPauses } from '../../messages/dispatch/dispatch-pauses.js';
import { Carriers } from '../../carriers/carrier.js';
import { RecordReceipt } from '../../messages/status/record-receipt.js';
import { Postgres } from '../../platform/database/postgres.js';
import { accountSettingsOf, Config } from '../../platform/config/config.js';
import { EnvironmentError } from '../../platform/config/env.js';
import { Every } from '../../platform/schedules/every.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { purgeLongReplies } from './long-replies.js';
import { SmppBind, type SmppBindTimings, SmppCarrier } from './smpp-bind.js';
import { BindReplies } from './smpp-replies.js';
import { purgeSegments, SubmittedSegments } from './submitted-segments.js';

/** Time for which a worker holds a bind without a renewal. */
const LEASE_MS = 10_000;
/** Time for which a bind may be missing before its carrier is paused. */
const DOWN_AFTER_SECONDS = 30;
const LEASE = `interval '${LEASE_MS} milliseconds'`;
const RENEW_MS = 2_500;
/** The bind ends this long before its lease, by which time another worker may have it. */
const MARGIN_MS = 1_000;
const PURGED_EVERY_MS = 3_600_000;
/** Segments whose receipts take long, and receipts without a segment. */
const TENDED_EVERY_MS = 2_500;

/**
 * Takes or renews the lease of a bind; returns no row while another worker has it. Parameters:
 * carrier, name, holder, whether the peer has accepted the bind.
 *
 * Citus takes `now()` in new values only, so the statement compares the end of the lease, which is
 * as long after now. A new bind is not accepted yet.
 */
export const takeLeaseStatement = {
  name: 'smpp-lease-take-2',
  text: `
INSERT INTO smpp_binds AS b (carrier, name, holder, held_until, unbound_since)
VALUES ($1, $2, $3, now() + ${LEASE}, now())
ON CONFLICT (carrier) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until,
  unbound_since = CASE WHEN NOT $4::boolean THEN coalesce(b.unbound_since, excluded.unbound_since) END
  WHERE b.name = excluded.name AND (
    b.holder = excluded.holder OR b.holder IS NULL OR excluded.held_until - b.held_until >= ${LEASE}
  )
RETURNING coalesce(
  held_until - unbound_since >= ${LEASE} + interval '${DOWN_AFTER_SECONDS} seconds', false
) AS "isDown"`,
  shared: true,
} as const;

/** Gives the lease back. Parameters: carrier, holder. */
export const releaseLeaseStatement = {
  name: 'smpp-lease-release-1',
  text: `UPDATE smpp_binds SET holder = NULL, held_until = now() WHERE carrier = $1 AND holder = $2`,
  shared: true,
} as const;

/** The name that has a bind's number. Parameter: carrier. */
export const leaseNameStatement = {
  name: 'smpp-lease-name-1',
  text: `SELECT name FROM smpp_binds WHERE carrier = $1`,
  shared: true,
} as const;

/** Runs the jobs of carriers' own queues. */
export interface CarrierJobs {
  /** Starts to run the jobs of a carrier. */
  run(carrier: number): void;
  /** Stops running jobs of a carrier. */
  rest(carrier: number): void;
}

/** A bind as /readyz shows it; `elsewhere`: another worker has it, or may take it. */
export type BindState = 'bound' | 'unbound' | 'elsewhere';

/**
 * Lets this worker hold the binds that no other worker holds: each bind is opened with its lease,
 * and closed before the lease ends if it cannot be renewed. While a bind takes messages, the jobs
 * of its carrier's queue run here. A bind that is missing for half a minute pauses its carrier.
 */
@Injectable()
export class HoldBinds {
  private readonly holder = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  private held: readonly HeldBind[] = [];

  constructor(
    private readonly carriers: Carriers,
    private readonly postgres: Postgres,
    private readonly recordReceipt: RecordReceipt,
    private readonly bindReplies: BindReplies,
    private readonly pauses: DispatchPauses,
    private readonly config: Config,
    private readonly telemetry: Telemetry,
  ) {}

  /** Throws when a bind has the number of a removed bind. */
  async start(jobs: CarrierJobs, timings: Partial<SmppBindTimings> = {}): Promise<void> {
    const carriers = this.carriers.all.filter((carrier) => carrier instanceof SmppCarrier);
    const held = carriers.map((carrier) => this.heldBind(carrier, jobs, timings));
    await Promise.all(held.map((one) => one.assertOwnNumber()));
    this.held = held;
    for (const one of held) one.start();
  }

  /** Closes the binds and gives their leases back. The jobs have ended before. */
  async stop(): Promise<void> {
    await Promise.all(this.held.map((one) => one.stop()));
  }

  /** The binds by name. */
  states(): Readonly<Record<string, BindState>> {
    return Object.fromEntries(this.held.map(({ name, state }) => [name, state]));
  }

  /** Deletes a batch of expired notes, segments and replies; returns whether there may be more. */
  @Every({ name: 'smpp retention', everyMs: PURGED_EVERY_MS, whileMore: true, wholeDatabase: true })
  async purge(): Promise<boolean> {
    return (await Promise.all([purgeSegments(this.postgres), purgeLongReplies(this.postgres)])).includes(true);
  }

  /** Stores segments whose receipts take long, and settles segments that a previous worker left. */
  @Every({
    name: 'smpp segments',
    everyMs: ({ smpp }) => (smpp.length === 0 ? null : TENDED_EVERY_MS),
    wholeDatabase: true,
  })
  async tendSegments(): Promise<void> {
    await Promise.all(this.held.map((one) => one.tendSegments()));
  }

  private heldBind(carrier: SmppCarrier, jobs: CarrierJobs, timings: Partial<SmppBindTimings>): HeldBind {
    const { settings, number } = carrier;
    const replies = this.bindReplies.of(settings);
    const { logger, metrics } = this.telemetry;
    const segments = new SubmittedSegments(
      this.postgres,
      number,
      settings.idBase,
      this.recordReceipt,
      () => held.isAlone,
    );
    carrier.note(segments);
    const open = (changed: () => void) =>
      new SmppBind(settings, segments, { reply: (segment) => replies.receive(segment), changed }, logger, {
        startMs: this.config.dispatch.timeoutMs,
        ...timings,
      });
    const { name } = settings;
    const held: HeldBind = new HeldBind({
      carrier,
      lease: new BindLease(this.postgres, settings, this.holder),
      open,
      segments,
      jobs,
      down: async () => {
        const reason = { carrier: number, messageId: null, httpStatus: null, carrierError: null };
        const begun = await this.pauses.begin(reason, this.config.dispatch.probeSeconds);
        const check = `url, ${accountSettingsOf(this.config, number)}`;
        if (begun === 'begun') logger.error({ carrier: number, bind: name, check }, 'dispatch paused: no smpp bind');
      },
      failed: (err) => logger.warn({ bind: name, err }, 'lease of smpp bind not renewed'),
      observed: (isBound, openRequests) => {
        metrics.smppBound.set({ carrier: name }, isBound ? 1 : 0);
        metrics.smppOpenRequests.set({ carrier: name }, openRequests);
        metrics.smppWindow.set({ carrier: name }, settings.window);
      },
    });
    return held;
  }
}

interface HeldBindParts {
  readonly carrier: SmppCarrier;
  readonly lease: BindLease;
  readonly open: (changed: () => void) => SmppBind;
  readonly segments: SubmittedSegments;
  readonly jobs: CarrierJobs;
  /** Called repeatedly while the bind is missing for long. */
  readonly down: () => Promise<void>;
  readonly failed: (error: unknown) => void;
  readonly observed: (isBound: boolean, openRequests: number) => void;
}

/**
 * One bind in this worker: its lease and, while it has the lease, its connection and its queue's
 * jobs.
 */
class HeldBind {
  private readonly stopping = new AbortController();
  private ended: Promise<void> | undefined;
  private bind: SmppBind | undefined;
  private guard: NodeJS.Timeout | undefined;
  private resumption: NodeJS.Timeout | undefined;
  /** Lease's end by `performance.now()`. */
  private leaseEndsAtMs = -Infinity;

  constructor(private readonly parts: HeldBindParts) {}

  /** True while no other worker can have the bind. */
  get isAlone(): boolean {
    return performance.now() < this.leaseEndsAtMs;
  }

  get name(): string {
    return this.parts.carrier.name;
  }

  get state(): BindState {
    return this.bind ? (this.bind.isBound ? 'bound' : 'unbound') : 'elsewhere';
  }

  assertOwnNumber(): Promise<void> {
    return this.parts.lease.assertOwnNumber();
  }

  tendSegments(): Promise<void> {
    return this.parts.segments.tend(performance.now());
  }

  start(): void {
    this.ended = this.holdUntilStopped();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
    await this.letGo();
    await this.parts.segments.storeAllSegments().catch(this.parts.failed);
    this.leaseEndsAtMs = -Infinity;
    await this.parts.lease.release().catch(this.parts.failed);
  }

  private async holdUntilStopped(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.renew().catch(this.parts.failed);
      this.parts.observed(this.bind?.isBound === true, this.bind?.openRequests ?? 0);
      await pause(RENEW_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async renew(): Promise<void> {
    const { lease, down } = this.parts;
    const taken = await lease.take(this.bind?.isBound === true);
    clearTimeout(this.guard);
    this.leaseEndsAtMs = taken?.endsAtMs ?? -Infinity;
    if (!taken) return this.letGo();
    const leftMs = taken.endsAtMs - MARGIN_MS - performance.now();
    this.guard = setTimeout(() => void this.letGo(), leftMs);
    // A bind that has just been opened may be bound before the next renewal.
    if (!this.bind) await this.openSettled();
    else if (taken.isDown) await down();
  }

  /**
   * Settles a crashed worker's segments before opening the bind, because receipts come and are
   * acknowledged as soon as there is a bind. If that takes as long as the lease, the next renewal
   * tries again.
   */
  private async openSettled(): Promise<void> {
    await this.parts.segments.settleLatest();
    const mayOpen = performance.now() < this.leaseEndsAtMs - MARGIN_MS;
    if (mayOpen && !this.stopping.signal.aborted) this.open();
  }

  private open(): void {
    const { carrier, open } = this.parts;
    const bind = open(() => this.follow());
    this.bind = bind;
    carrier.use(bind);
    bind.start();
  }

  /** Runs the jobs of the queue while the bind takes messages. */
  private follow(): void {
    const { carrier, jobs } = this.parts;
    clearTimeout(this.resumption);
    const readiness = this.bind?.readiness ?? { kind: 'unbound' };
    if (readiness.kind === 'bound') return jobs.run(carrier.number);
    jobs.rest(carrier.number);
    if (readiness.kind === 'paused') this.resumption = setTimeout(() => this.follow(), readiness.forMs);
  }

  private async letGo(): Promise<void> {
    const { bind } = this;
    clearTimeout(this.guard);
    this.bind = undefined;
    this.parts.carrier.use(undefined);
    this.follow();
    await bind?.close();
  }
}

/** The row by which one worker at a time has a bind. */
export class BindLease {
  constructor(
    private readonly postgres: Postgres,
    private readonly bind: { readonly name: string; readonly number: number },
    /** Name of this worker. */
    private readonly holder: string,
  ) {}

  /** Throws {@link EnvironmentError} when another bind, perhaps a removed bind, has the number. */
  async assertOwnNumber(): Promise<void> {
    const { name, number } = this.bind;
    const [row] = await this.postgres.query<{ name: string }>(leaseNameStatement, [number]);
    if (row === undefined || row.name === name) return;
    throw new EnvironmentError(
      `SMPP_BINDS: the bind ${name} has the same number as ${row.name}, which messages were handed to before: ` +
        'give it another name',
    );
  }

  /**
   * Takes or renews the lease. Returns undefined while another worker has it; otherwise the lease's
   * end by `performance.now()`, and whether the bind has been missing for long in every worker.
   */
  async take(isBound: boolean): Promise<{ readonly endsAtMs: number; readonly isDown: boolean } | undefined> {
    const { name, number } = this.bind;
    const askedAtMs = performance.now();
    const values = [number, name, this.holder, isBound];
    const [row] = await this.postgres.query<{ isDown: boolean }>(takeLeaseStatement, values);
    return row && { endsAtMs: askedAtMs + LEASE_MS, isDown: row.isDown };
  }

  /** Lets another worker take the lease at once. */
  async release(): Promise<void> {
    await this.postgres.query(releaseLeaseStatement, [this.bind.number, this.holder]);
  }
}
