import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';
import { type RegionSetting, type RegionTable, regionTable } from '../rules/regions.js';

/** Age of the table from which it is read again, and up to which it serves meanwhile. */
const FRESH_MS = 1_000;
const SERVES_MS = 1_500;

/** What differs from the region table of the contract: no row at all in most installations. */
export const regionSettingsStatement = {
  name: 'region-settings-1',
  text: 'SELECT code, active, otp, credits::integer AS credits FROM region_settings',
  answerWithinMs: 5_000,
} as const;

interface Read {
  readonly table: Promise<RegionTable>;
  readonly atMs: number;
}

/**
 * The regions as the operator has set them. They are read at most once a second, however many
 * messages there are, and prices do not wait for it while there is traffic.
 */
@Injectable()
export class CurrentRegions {
  private latest: Read | undefined;
  private reading: Promise<RegionTable> | undefined;
  private triedAtMs = -Infinity;

  constructor(private readonly postgres: Postgres) {}

  /**
   * Is at most 1.5 seconds old; older only while the database is unavailable, when no message is
   * accepted. Rejects when it is unavailable and the table was never read.
   */
  table(): Promise<RegionTable> {
    const { latest } = this;
    const now = performance.now();
    const ageMs = latest ? now - latest.atMs : Infinity;
    if (latest && ageMs < FRESH_MS) return latest.table;
    const reading = this.reading ?? (now - this.triedAtMs < FRESH_MS && latest ? latest.table : this.read(now));
    return latest && ageMs < SERVES_MS ? latest.table : reading;
  }

  private read(atMs: number): Promise<RegionTable> {
    this.triedAtMs = atMs;
    const { latest } = this;
    const reading = this.postgres
      .query<RegionSetting>(regionSettingsStatement, [])
      .then((settings) => {
        this.latest = { table: reading, atMs };
        return regionTable(settings);
      })
      .catch((error: unknown) => {
        // Acceptance reports an unavailable database, and rides out a short one.
        if (latest) return latest.table;
        throw error;
      })
      .finally(() => {
        this.reading = undefined;
      });
    this.reading = reading;
    // Those who wait for it get the failure.
    reading.catch(() => undefined);
    return reading;
  }
}
