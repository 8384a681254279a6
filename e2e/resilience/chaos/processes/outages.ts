/** Parts that can be unavailable or misbehave. Servers and workers are numbered: `server-0`. */
export type Part = `server-${number}` | `worker-${number}` | 'redis' | 'postgres' | 'twilio' | 'stripe';

interface Outage {
  readonly part: Part;
  readonly fromMs: number;
  untilMs: number;
}

/** Records when each part was unavailable, to judge failed requests. */
export class Outages {
  private readonly known: Outage[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  begin(part: Part): void {
    if (!this.isAway(part)) this.known.push({ part, fromMs: this.now(), untilMs: Infinity });
  }

  end(part: Part): void {
    for (const outage of this.known) {
      if (outage.part === part && outage.untilMs === Infinity) outage.untilMs = this.now();
    }
  }

  isAway(part: Part): boolean {
    return this.known.some((outage) => outage.part === part && outage.untilMs === Infinity);
  }

  /**
   * Returns which parts were unavailable at any time from `fromMs` to `toMs`, or became available
   * less than `graceMs` before.
   */
  during(parts: readonly Part[], fromMs: number, toMs: number, graceMs: number): Part[] {
    const met = this.known.filter((one) => one.fromMs <= toMs && one.untilMs + graceMs >= fromMs);
    return parts.filter((part) => met.some((one) => one.part === part));
  }
}
