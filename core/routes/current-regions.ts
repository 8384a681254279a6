import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';
import { Snapshot } from '../platform/database/snapshot.js';
import { type RegionSetting, type RegionTable, regionTable } from '../rules/regions.js';

/** Age from which the table is read again, and maximum age at which it serves meanwhile. */
const FRESH_MS = 1_000;
const SERVES_MS = 1_500;

/** Differences from the region table of the contract: most installations have no row. */
export const regionSettingsStatement = {
  name: 'region-settings-2',
  text: 'SELECT code, active, otp, voice, credits::integer AS credits FROM region_settings',
  answerWithinMs: 5_000,
} as const;

/**
 * The regions as the operator has set them. They are read at most once a second, however many
 * messages there are, and prices do not wait for the read while there is traffic.
 */
@Injectable()
export class CurrentRegions {
  /** Acceptance reports an unavailable database, and rides out a short outage: the last table serves until then. */
  private readonly regions = new Snapshot({
    read: async () => regionTable(await this.postgres.query<RegionSetting>(regionSettingsStatement, [])),
    freshMs: FRESH_MS,
    servesMs: SERVES_MS,
    keepsLast: true,
  });

  constructor(private readonly postgres: Postgres) {}

  /**
   * Returns a table that is at most 1.5 seconds old; an older one only while the database is unavailable, when no
   * message is accepted. Rejects when the database is unavailable and the table was never read.
   */
  table(): Promise<RegionTable> {
    return this.regions.get();
  }
}
