import { type Region, regions } from '#contract/regions.js';

const regionsByIso2: ReadonlyMap<string, Region> = new Map(regions.map((region) => [region.iso2, region]));

/**
 * Returns the region of a country (ISO 3166-1 alpha-2, upper case); undefined for a country outside
 * the table.
 */
export function regionOfCountry(iso2: string): Region | undefined {
  return regionsByIso2.get(iso2);
}
