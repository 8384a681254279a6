import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { spendAnswer, type SpendDays } from '#contract/spend.js';
import { call, searchOf } from './call.js';

export const spendKey = ['spend'] as const;

/** Credits spent on these days. */
export const spendQuery = (days: SpendDays) =>
  queryOptions({
    queryKey: [...spendKey, days],
    queryFn: () => call(spendAnswer, { method: 'GET', path: `/api/dashboard/spend?${searchOf(days)}` }),
    placeholderData: keepPreviousData,
  });

/** Download address of the same figures. */
export const spendCsvPath = (days: SpendDays): string => `/api/dashboard/spend.csv?${searchOf(days)}`;
