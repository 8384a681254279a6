import { type Region, regions } from '#contract/regions.js';

/**
 * Settings of the operator for a region; null means the value in the region table of the contract.
 */
export interface RegionSetting {
  /** ISO 3166-1 alpha-3. */
  readonly code: string;
  readonly active: boolean | null;
  readonly otp: boolean | null;
  /** Whether codes are spoken in calls. */
  readonly voice: boolean | null;
  /** Price of one segment. */
  readonly credits: number | null;
}

/** The regions as they are now, by country (ISO 3166-1 alpha-2, upper case), in the order of the table. */
export type RegionTable = ReadonlyMap<string, Region>;

/** Returns the region table of the contract with the operator's settings. */
export function regionTable(settings: readonly RegionSetting[]): RegionTable {
  const byCode = new Map(settings.map((setting) => [setting.code, setting]));
  return new Map(regions.map((region) => [region.iso2, withSetting(region, byCode.get(region.code))]));
}

/** Region table of a new installation. */
export const defaultRegions: RegionTable = regionTable([]);

function withSetting(region: Region, setting: RegionSetting | undefined): Region {
  if (!setting) return region;
  return {
    ...region,
    active: setting.active ?? region.active,
    otp: setting.otp ?? region.otp,
    ...(setting.voice !== null && { voice: setting.voice }),
    creditsPerSms: setting.credits ?? region.creditsPerSms,
  };
}
