import { useEffect, useState } from 'react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QuoteBody } from '#contract/dashboard.js';
import { readQuote } from '../../../api/compose.js';
import { useLiveEvent } from '../../../dashboard/live-events.js';
import { queryKeys } from '../../../dashboard/query-keys.js';

const ASKED_AFTER_MS = 120;
const KEPT_FOR_MS = 10_000;

/**
 * What the message would be and cost, asked when typing pauses. Until the answer for what stands there has come, `quote` is the one
 * before and `isOld`; an answer that comes too late is for another text and is not shown.
 */
export function useQuote({ to, message }: QuoteBody) {
  const asked = useSettled(to, message);
  const client = useQueryClient();
  useLiveEvent('balance', () => void client.invalidateQueries({ queryKey: queryKeys.quotes }));
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [...queryKeys.quotes, asked.to, asked.message],
    queryFn: ({ signal }) => readQuote(asked, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: KEPT_FOR_MS,
  });
  const isOld = isPlaceholderData || asked.to !== to || asked.message !== message;
  return { quote: data, isOld, error, retry: () => void refetch() };
}

/** The same as what is typed, a moment after the last key. */
function useSettled(to: string, message: string): QuoteBody {
  const [settled, setSettled] = useState({ to, message });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ to, message }), ASKED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [to, message]);
  return settled;
}
