import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Notification } from '#contract/notifications.js';
import { notificationsQuery } from '../../api/notifications.js';
import { storage } from '../../browser-storage.js';
import { useSession } from '../frame/dashboard-context.js';
import { useLiveEvent, useTrailing } from '../live/live-events.js';
import { dismissalsFrom, dismissalsText, keptDismissals } from './dismissals.js';

/** Delay after a balance event: a message changes the balance, and a bulk is many messages. */
const READ_AFTER_MS = 1_500;
/** Changes without an event, such as a daily budget's end, show after this time. */
const READ_EVERY_MS = 60_000;
/** Storage key, followed by the account's id. */
const DISMISSED = 'notifications-dismissed-';

interface Notifications {
  /** Notifications that this browser has not dismissed. */
  readonly shown: readonly Notification[];
  readonly dismissed: readonly Notification[];
  /** Undefined once notifications are known, and during the first read. */
  readonly failure: { readonly error: unknown; readonly retry: () => void } | undefined;
  readonly isKnown: boolean;
  readonly dismiss: (id: string) => void;
  readonly restore: (id: string) => void;
}

const nothing: Notifications = {
  shown: [],
  dismissed: [],
  failure: undefined,
  isKnown: false,
  dismiss: () => {},
  restore: () => {},
};

const NotificationsContext = createContext(nothing);

/** Returns the current notifications. */
export function useNotifications(): Notifications {
  return use(NotificationsContext);
}

/**
 * Keeps the notifications current while the dashboard is open. A dismissal holds for one browser
 * and ends with its cause; the account's other people and devices still see the notification.
 */
export function NotificationsProvider({ children }: { children: ReactNode }) {
  const session = useSession();
  const { data, error, refetch } = useQuery({
    ...notificationsQuery,
    enabled: session !== undefined,
    refetchInterval: READ_EVERY_MS,
  });
  useReadingAgain();
  const [dismissals, setDismissals] = useDismissals(session?.id);
  const current = data?.notifications;
  const kept = current
    ? keptDismissals(
        dismissals,
        current.map(({ id }) => id),
      )
    : dismissals;
  useEffect(() => {
    if (kept !== dismissals) setDismissals(kept);
  });
  const isDismissed = ({ id }: Notification) => kept.includes(id);
  const value: Notifications = {
    shown: current?.filter((one) => !isDismissed(one)) ?? [],
    dismissed: current?.filter(isDismissed) ?? [],
    failure: error && !data ? { error, retry: () => void refetch() } : undefined,
    isKnown: data !== undefined || error !== null,
    dismiss: (id) => setDismissals([...kept, id]),
    restore: (id) => setDismissals(kept.filter((one) => one !== id)),
  };
  return <NotificationsContext value={value}>{children}</NotificationsContext>;
}

function useReadingAgain(): void {
  const client = useQueryClient();
  const read = () => void client.invalidateQueries({ queryKey: notificationsQuery.queryKey });
  const readSoon = useTrailing(read, READ_AFTER_MS);
  useLiveEvent('live', read);
  useLiveEvent('notifications', read);
  useLiveEvent('welcome', read);
  useLiveEvent('many', readSoon);
  useLiveEvent('balance', readSoon);
}

/** Where the browser stores nothing, dismissals last until the page is left. */
function useDismissals(accountId: string | undefined) {
  const key = DISMISSED + accountId;
  const [dismissals, setDismissals] = useState(() => dismissalsFrom(storage()?.getItem(key)));
  const [readFor, setReadFor] = useState(key);
  if (readFor !== key) {
    setReadFor(key);
    setDismissals(dismissalsFrom(storage()?.getItem(key)));
  }
  // Follows dismissals in other tabs of the browser.
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === key) setDismissals(dismissalsFrom(event.newValue));
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [key]);
  const change = (ids: readonly string[]) => {
    storage()?.setItem(key, dismissalsText(ids));
    setDismissals(ids);
  };
  return [dismissals, change] as const;
}
