import { useMemo } from 'react';
import { type Region, regions } from '#contract/regions.js';
import { useServedRegions } from './served-regions.js';

/** The operator's region table; until it is loaded, the table of the release. */
export function useRegions(): readonly Region[] {
  const served = useServedRegions();
  return useMemo(
    () =>
      served?.map(({ area_code: areaCode, credits_per_sms: creditsPerSms, ...region }) => ({
        ...region,
        areaCode: `+${areaCode.replace(/^\+/, '')}` as const,
        creditsPerSms,
      })) ?? regions,
    [served],
  );
}
