import { useEffect, useRef } from 'react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { readActivity } from '../../../../api/account.js';
import { useLiveEvent } from '../../../../dashboard/live-events.js';
import { queryKeys } from '../../../../dashboard/query-keys.js';

const READ_EVERY_MS = 2_000;

/** Messages by day and state, read again while they change; often enough to be live, and no more. */
export function useActivity(days: number) {
  const client = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAgain = () => void client.invalidateQueries({ queryKey: queryKeys.activity });
  const readSoon = () => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      readAgain();
    }, READ_EVERY_MS);
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  useLiveEvent('message', readSoon);
  useLiveEvent('many', readSoon);
  useLiveEvent('live', readAgain);
  return useQuery({
    queryKey: [...queryKeys.activity, days],
    queryFn: () => readActivity(days),
    // Events are heard while this view is shown alone.
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}
