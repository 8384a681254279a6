import { useQuery, useQueryClient } from '@tanstack/react-query';
import { unansweredKey, unansweredQuery } from '../../api/messages.js';
import { paths } from '../../paths.js';
import { useLiveEvent, useTrailing } from '../live/live-events.js';
import { useSession } from './dashboard-context.js';

/** Count beside a menu entry. */
export interface MenuCount {
  /** '3', or '99+'. */
  readonly count: string;
  readonly what: string;
}

/** Messages change their state several times; the menu need not follow each. */
const READ_EVERY_MS = 2_000;

/** The counts of the menu's entries, by their address, kept current. */
export function useMenuCounts(): Readonly<Record<string, MenuCount | undefined>> {
  const client = useQueryClient();
  const { data } = useQuery({ ...unansweredQuery, enabled: useSession() !== undefined });
  const readSoon = useTrailing(() => void client.invalidateQueries({ queryKey: unansweredKey }), READ_EVERY_MS);
  useLiveEvent('live', readSoon);
  useLiveEvent('many', readSoon);
  useLiveEvent('message', readSoon);
  useLiveEvent('received', readSoon);
  if (!data || data.count === 0) return {};
  const count = data.isMore ? `${data.count}+` : String(data.count);
  return { [paths.dashboardConversations]: { count, what: 'unanswered' } };
}
