import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreditsAnswer } from '#contract/histories.js';
import { readCredits } from '../api/account.js';
import { useLiveEvent } from './live-events.js';
import { queryKeys } from './query-keys.js';

/** The account's credits, as they change. */
export function useCredits() {
  return useQuery({ queryKey: queryKeys.credits, queryFn: readCredits });
}

/** Keeps them so; once in the page. */
export function useLiveCredits(): void {
  const client = useQueryClient();
  useLiveEvent('balance', (totals) => {
    client.setQueryData<CreditsAnswer>(queryKeys.credits, (known) => known && { ...known, ...totals });
  });
  const readAgain = () => void client.invalidateQueries({ queryKey: queryKeys.credits });
  useLiveEvent('live', readAgain);
  useLiveEvent('many', readAgain);
}
