import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { DispatchPauses, type DispatchPauseState, type PauseReason } from './dispatch-pauses.js';

/**
 * Holds this worker's messages back while the carrier refuses our account. The claim statement
 * decides; the gate spares it messages that it would not claim.
 */
@Injectable()
export class DispatchGate implements OnModuleDestroy {
  private latest: DispatchPauseState | undefined;
  private closed: { readonly opened: Promise<void>; readonly open: () => void } | undefined;
  private isStopping = false;

  constructor(
    private readonly pauses: DispatchPauses,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /**
   * Resolves while dispatch runs; otherwise when it resumes. False when the worker stops instead.
   */
  async passed(): Promise<boolean> {
    while (this.closed && !this.isStopping) await this.closed.opened;
    return !this.isStopping || !this.closed;
  }

  /** When dispatch resumed last; messages that waited for it have waited since then only. */
  get resumedAt(): Date | undefined {
    return this.latest?.resumedAt ?? undefined;
  }

  /** Reads the state that all workers share; returns the pause while it lasts. */
  async refresh(): Promise<DispatchPauseState | undefined> {
    this.latest = await this.pauses.latest();
    const isPaused = this.latest?.resumedAt === null;
    this.metrics.dispatchPaused.set(isPaused ? 1 : 0);
    if (isPaused) this.close();
    else this.open();
    return isPaused ? this.latest : undefined;
  }

  /** Pauses dispatch in every worker. Returns false when the refusal concerns the message alone. */
  async pause(reason: PauseReason): Promise<boolean> {
    const result = await this.pauses.begin(reason, this.config.dispatch.probeSeconds);
    if (result === 'repeated') return false;
    if (result === 'begun') this.logger.error({ ...reason }, 'dispatch paused: the carrier refuses our account');
    await this.refresh();
    return true;
  }

  /** Returns true to one worker when the next probe is due. */
  takeProbe(): Promise<boolean> {
    return this.pauses.takeProbe(this.config.dispatch.probeSeconds);
  }

  /** Resumes dispatch in every worker. */
  async resume(): Promise<void> {
    if (await this.pauses.end()) this.logger.warn({}, 'dispatch resumed: the carrier accepts messages again');
    await this.refresh();
  }

  /** Releases waiting messages before the worker waits for its jobs. */
  onModuleDestroy(): void {
    this.isStopping = true;
    this.closed?.open();
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
