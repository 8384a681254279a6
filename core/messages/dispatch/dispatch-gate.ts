import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { accountSettingsOf, carrierNameOf, Config } from '../../platform/config/config.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import type { SendOutcome } from '../../carriers/carrier.js';
import { DispatchPauses, type DispatchPauseState, type PauseReason } from './dispatch-pauses.js';

const UNANSWERED_MIN = 5;
const SILENT_MS = 10_000;
const GAP_MS = 60_000;

/**
 * Holds this worker's messages back while every carrier of text messages is paused. The claim
 * statement decides; the gate spares it useless claims.
 */
@Injectable()
export class DispatchGate implements OnModuleDestroy {
  private latest: ReadonlyMap<number, DispatchPauseState> = new Map();
  private closed: { readonly opened: Promise<void>; readonly open: () => void } | undefined;
  private isStopping = false;
  private readonly silent = new SilentCarriers();

  constructor(
    private readonly pauses: DispatchPauses,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /**
   * Waits until a carrier of text messages takes messages. Returns false when the worker stops instead. A message from
   * the queue of another channel, whose carrier is given, does not wait.
   */
  async passed(carrier?: number): Promise<boolean> {
    if (carrier !== undefined && this.isOfChannel(carrier)) return true;
    while (this.closed && !this.isStopping) await this.closed.opened;
    return !this.isStopping || !this.closed;
  }

  /** Whether every carrier of text messages is paused. */
  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  /** Whether this carrier is paused and its messages do not wait here, because another carrier's go first. */
  isPausedAlone(carrier: number): boolean {
    return this.isPaused(carrier) && (!this.closed || this.isOfChannel(carrier));
  }

  /** Wait of a message whose carrier is paused, until it is tried again. */
  get probeMs(): number {
    return this.config.dispatch.probeSeconds * 1_000;
  }

  /** Time when the carrier resumed last; the waiting time of its messages counts from then. */
  resumedAt(carrier: number): Date | undefined {
    return this.latest.get(carrier)?.resumedAt ?? undefined;
  }

  /** Reads the state that all workers share; returns the numbers of the paused carriers. */
  async refresh(): Promise<number[]> {
    this.latest = new Map((await this.pauses.latest()).map((pause) => [pause.carrier, pause]));
    const carriers = [...this.config.carriers, ...this.config.channels];
    for (const { name, number } of carriers) this.metrics.dispatchPaused.set({ carrier: name }, +this.isPaused(number));
    const paused = carriers.map(({ number }) => number).filter((number) => this.isPaused(number));
    if (this.config.carriers.every(({ number }) => paused.includes(number))) this.close();
    else this.open();
    return paused;
  }

  /**
   * Pauses a carrier in every worker. Returns false when the refusal concerns the message alone.
   */
  async pause(reason: PauseReason): Promise<boolean> {
    const result = await this.pauses.begin(reason, this.config.dispatch.probeSeconds);
    if (result === 'repeated') return false;
    if (result === 'begun')
      this.logger.error(
        { ...reason, ...this.accountOf(reason.carrier) },
        'dispatch paused: the carrier refuses our account',
      );
    await this.refresh();
    return true;
  }

  /**
   * Pauses a carrier that has stopped answering if another carrier may take its messages. Makes the
   * resume of a carrier that takes a message final. `startedMs`: start of the call, by
   * `performance.now()`.
   */
  async hear(carrier: number, messageId: string, outcome: SendOutcome, startedMs: number): Promise<void> {
    if (outcome.kind === 'accepted' && this.latest.get(carrier)?.isTentative) await this.confirm(carrier);
    if (this.config.carriers.length < 2) return;
    const isSilent = this.silent.isSilentAfter(carrier, outcome, startedMs, performance.now());
    if (!isSilent || this.isPaused(carrier)) return;
    const reason = { carrier, messageId, httpStatus: null, carrierError: null };
    const result = await this.pauses.begin(reason, this.config.dispatch.probeSeconds);
    if (result === 'begun')
      this.logger.error({ carrier, carrierName: this.nameOf(carrier) }, 'dispatch paused: the carrier does not answer');
    await this.refresh();
  }

  /** A carrier's name, and the settings to check when it refuses our account. */
  accountOf(carrier: number): { readonly carrierName: string; readonly check: string } {
    return { carrierName: this.nameOf(carrier), check: accountSettingsOf(this.config, carrier) };
  }

  /** Returns true to one worker when the carrier's next probe is due. */
  takeProbe(carrier: number): Promise<boolean> {
    return this.pauses.takeProbe(carrier, this.config.dispatch.probeSeconds);
  }

  /** Resumes a carrier that took or refused a message, in every worker. */
  async resume(carrier: number): Promise<void> {
    if (await this.pauses.end(carrier, false)) this.logResumed(carrier, 'the carrier accepts messages again');
    await this.refresh();
  }

  /**
   * Resumes a carrier that answered a query about our account, in every worker. If it refuses the
   * next message, the pause goes on with twice the wait.
   */
  async resumeTentatively(carrier: number): Promise<void> {
    const found = 'the carrier answers, and no message waits that would show whether it accepts messages';
    if (await this.pauses.end(carrier, true)) this.logResumed(carrier, found);
    await this.refresh();
  }

  private async confirm(carrier: number): Promise<void> {
    if (await this.pauses.confirmEnd(carrier)) this.logResumed(carrier, 'the carrier accepts messages again');
    await this.refresh();
  }

  private logResumed(carrier: number, found: string): void {
    this.logger.warn({ carrier, carrierName: this.nameOf(carrier) }, `dispatch resumed: ${found}`);
  }

  /** Releases waiting messages before the worker waits for its jobs. */
  onModuleDestroy(): void {
    this.isStopping = true;
    this.closed?.open();
  }

  private nameOf(carrier: number): string {
    return carrierNameOf(this.config, carrier);
  }

  private isPaused(carrier: number): boolean {
    return this.latest.get(carrier)?.resumedAt === null;
  }

  private isOfChannel(carrier: number): boolean {
    return this.config.channels.some(({ number }) => number === carrier);
  }

  private close(): void {
    if (this.closed) return;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    this.closed = { opened, open };
  }

  private open(): void {
    this.closed?.open();
    this.closed = undefined;
  }
}

interface Silence {
  readonly calls: number;
  /** Start of the first unanswered call. */
  readonly sinceMs: number;
  readonly latestMs: number;
}

/**
 * Notices that a carrier has stopped answering: five calls in a row got no answer, or could not reach
 * it, over at least ten seconds. A refusal is an answer, and so is a request to wait. Times
 * are of one monotonic clock, in milliseconds.
 */
export class SilentCarriers {
  private readonly silences = new Map<number, Silence>();

  /** Returns whether the carrier is silent, after the outcome of a call that began at `startedMs`. */
  isSilentAfter(carrier: number, outcome: SendOutcome, startedMs: number, nowMs: number): boolean {
    const hasAnswered =
      outcome.kind === 'unavailable' ? outcome.retryAfterMs !== undefined : outcome.kind !== 'unknown';
    if (hasAnswered) {
      this.silences.delete(carrier);
      return false;
    }
    const before = this.silences.get(carrier);
    const lasting = before && nowMs - before.latestMs <= GAP_MS ? before : { calls: 0, sinceMs: startedMs };
    const silence = {
      calls: lasting.calls + 1,
      sinceMs: Math.min(lasting.sinceMs, startedMs),
      latestMs: nowMs,
    };
    this.silences.set(carrier, silence);
    return silence.calls >= UNANSWERED_MIN && nowMs - silence.sinceMs >= SILENT_MS;
  }
}
