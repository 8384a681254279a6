import { useMemo } from 'react';
import { type Region, regions } from '#contract/regions.js';
import { useServedRegions } from './served-regions.js';

/** The region table as the operator has set it; that of the release until it is there. */
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
