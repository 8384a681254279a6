import { useEffect, useRef } from 'react';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useLiveEvent } from './live-events.js';

/** Events come by the dozen while messages are on their way. */
const REFRESH_AFTER_MS = 500;

/** Reads again what a view shows, a moment after something of the account has changed. */
export function useRefresh(queryKey: QueryKey): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refresh = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey });
    }, REFRESH_AFTER_MS);
  };
  useLiveEvent('live', refresh);
  useLiveEvent('many', refresh);
  useLiveEvent('balance', refresh);
  useLiveEvent('message', refresh);
  useLiveEvent('received', refresh);
}
