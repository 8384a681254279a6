import { Injectable } from '@nestjs/common';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Carriers } from '../../carriers/carrier.js';
import { DispatchGate } from './dispatch-gate.js';
import { DispatchMessage } from './dispatch-message.js';
import { DispatchPauses } from './dispatch-pauses.js';
import { ExpireCodes } from './expire-codes.js';
import { Every } from '../../platform/schedules/every.js';

/**
 * Candidates per probe: some turn out not to be for the carrier, such as messages beyond a daily
 * limit.
 */
const CANDIDATES_MAX = 10;

/**
 * Ends the pause of a carrier: at intervals one worker tries a waiting message, because an account
 * that may be read cannot always send. Without a message it asks the carrier whether it accepts our
 * account; the answer ends the pause tentatively.
 */
@Injectable()
export class ProbeCarrier {
  constructor(
    private readonly postgres: Postgres,
    private readonly gate: DispatchGate,
    private readonly pauses: DispatchPauses,
    private readonly dispatchMessage: DispatchMessage,
    private readonly carriers: Carriers,
    private readonly expireCodes: ExpireCodes,
    private readonly logger: Logger,
  ) {}

  /**
   * Follows the state that the workers share and probes when a probe is due. Runs at short
   * intervals.
   */
  @Every({ name: 'dispatch pause', everyMs: ({ dispatch }) => dispatch.recoveryIntervalMs, wholeDatabase: true })
  async run(): Promise<void> {
    const paused = await this.gate.refresh();
    if (paused.length === 0) return;
    await this.postgres.onEachInReach(() => this.expireCodes.run());
    await Promise.all(paused.map((carrier) => this.probe(carrier)));
  }

  private async probe(carrier: number): Promise<void> {
    // The worker that is connected to an exclusive carrier probes it.
    if (!this.carriers.of(carrier).isHere || !(await this.gate.takeProbe(carrier))) return;
    for (let tried = 0; tried < CANDIDATES_MAX; tried += 1) {
      const candidate = await this.pauses.probeCandidate(carrier);
      if (candidate === undefined) break;
      if (await this.postgres.ofRow('messages', candidate, () => this.dispatchMessage.probe(candidate))) return;
    }
    await this.check(carrier);
  }

  private async check(carrier: number): Promise<void> {
    try {
      await this.carriers.of(carrier).check();
    } catch (err) {
      const about = { carrier, ...this.gate.accountOf(carrier), err };
      this.logger.warn(about, 'the carrier still refuses our account, or cannot be reached');
      return;
    }
    await this.gate.resumeTentatively(carrier);
  }
}
