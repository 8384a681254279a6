import { createContext, type ReactNode, use, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import {
  type DashboardEventName,
  type DashboardEvents,
  dashboardEvents,
  dashboardEventsPath,
} from '#contract/dashboard.js';
import { sessionQuery } from '../../api/account.js';

const AGAIN_AFTER_MS = 5_000;
/**
 * The connection counts as lost after this time without the server's heartbeat, which comes every 2
 * s.
 */
const SILENT_AFTER_MS = 4_500;

/**
 * `live`: events arrive. `connecting`: connecting or reconnecting. `ended`: the server asked not to
 * reconnect.
 */
export type LiveState = 'connecting' | 'live' | 'ended';

type Listener<Name extends DashboardEventName> = (data: DashboardEvents[Name]) => void;

/** Dispatches the page's single event stream to its listeners. */
class LiveEvents {
  private readonly target = new EventTarget();

  listen<Name extends DashboardEventName>(name: Name, listener: Listener<Name>): () => void {
    const onEvent = (event: Event) => {
      if (event instanceof CustomEvent) listener(event.detail as DashboardEvents[Name]);
    };
    this.target.addEventListener(name, onEvent);
    return () => this.target.removeEventListener(name, onEvent);
  }

  dispatch<Name extends DashboardEventName>(name: Name, data: DashboardEvents[Name]): void {
    this.target.dispatchEvent(new CustomEvent(name, { detail: data }));
  }
}

const LiveEventsContext = createContext<{ readonly events: LiveEvents; readonly state: LiveState } | null>(null);

interface LiveEventsProviderProps {
  /** Whether to connect: the stream needs a session. */
  readonly isOn: boolean;
  readonly children: ReactNode;
}

/** Keeps the stream open while the dashboard is shown. */
export function LiveEventsProvider({ isOn, children }: LiveEventsProviderProps) {
  const [events] = useState(() => new LiveEvents());
  const [state, setState] = useState<LiveState>('connecting');
  const client = useQueryClient();
  useEffect(() => {
    if (!isOn) return undefined;
    const onRefused = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    return connect(events, { onState: setState, onRefused });
  }, [isOn, events, client]);
  return <LiveEventsContext value={{ events, state }}>{children}</LiveEventsContext>;
}

export function useLiveState(): LiveState {
  return useLive().state;
}

/** Calls the listener for every event with this name. */
export function useLiveEvent<Name extends DashboardEventName>(name: Name, listener: Listener<Name>): void {
  const { events } = useLive();
  const latest = useEffectEvent(listener);
  useEffect(() => events.listen(name, (data) => latest(data)), [events, name]);
}

function useLive() {
  const live = use(LiveEventsContext);
  if (!live) throw new Error('Live events are the dashboard’s');
  return live;
}

interface ConnectionListeners {
  readonly onState: (state: LiveState) => void;
  /** Called when the server refuses the stream, perhaps because the session has ended. */
  readonly onRefused: () => void;
}

function connect(events: LiveEvents, { onState, onRefused }: ConnectionListeners): () => void {
  let source: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(again);
    clearTimeout(silence);
    source.close();
  };
  const reopen = () => {
    close();
    onState('connecting');
    open();
  };
  const goOffline = () => {
    close();
    onState('connecting');
  };
  const open = () => {
    source = new EventSource(dashboardEventsPath);
    source.addEventListener('error', () => {
      onState('connecting');
      // Browsers reconnect by themselves only when the connection was lost.
      if (source.readyState !== EventSource.CLOSED) return;
      onRefused();
      again = setTimeout(open, AGAIN_AFTER_MS);
    });
    const names = Object.keys(dashboardEvents) as DashboardEventName[];
    for (const name of names) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (name === 'live') onState('live');
        if (name === 'beat') {
          clearTimeout(silence);
          silence = setTimeout(reopen, SILENT_AFTER_MS);
        }
        if (name === 'ended') {
          stop();
          onState('ended');
        }
        events.dispatch(name, dashboardEvents[name].parse(JSON.parse(data)));
      });
    }
  };
  const stop = () => {
    close();
    window.removeEventListener('offline', goOffline);
    window.removeEventListener('online', reopen);
  };
  open();
  window.addEventListener('offline', goOffline);
  window.addEventListener('online', reopen);
  return stop;
}

/** Events arrive in bursts while messages are being sent. */
const REFRESH_AFTER_MS = 500;

/** Refetches a query shortly after a change of the account. */
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

/**
 * Returns a trigger that runs `run` once, `afterMs` after its first call; further calls meanwhile
 * are coalesced.
 */
export function useTrailing(run: () => void, afterMs: number): () => void {
  const timer = useRef<number>(undefined);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, afterMs);
  };
}
