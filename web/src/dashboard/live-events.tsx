import { createContext, use, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import {
  dashboardEvents,
  dashboardEventsPath,
  type DashboardEventName,
  type DashboardEvents,
} from '#contract/dashboard.js';
import { queryKeys } from './query-keys.js';

const AGAIN_AFTER_MS = 5_000;

/** `live`: what changes arrives. `connecting`: it is tried, at first or again. `ended`: the server wants no further try. */
export type LiveState = 'connecting' | 'live' | 'ended';

type Listener<Name extends DashboardEventName> = (data: DashboardEvents[Name]) => void;

/** The one stream of the page and those who listen to it. */
class LiveEvents {
  private readonly target = new EventTarget();

  listen<Name extends DashboardEventName>(name: Name, listener: Listener<Name>): () => void {
    const heard = (event: Event) => {
      if (event instanceof CustomEvent) listener(event.detail as DashboardEvents[Name]);
    };
    this.target.addEventListener(name, heard);
    return () => this.target.removeEventListener(name, heard);
  }

  tell<Name extends DashboardEventName>(name: Name, data: DashboardEvents[Name]): void {
    this.target.dispatchEvent(new CustomEvent(name, { detail: data }));
  }
}

const LiveEventsContext = createContext<{ readonly events: LiveEvents; readonly state: LiveState } | null>(null);

/** Opens the stream while the dashboard is shown. */
export function LiveEventsProvider({ children }: { children: ReactNode }) {
  const [events] = useState(() => new LiveEvents());
  const [state, setState] = useState<LiveState>('connecting');
  const client = useQueryClient();
  useEffect(() => {
    const onRefused = () => void client.invalidateQueries({ queryKey: queryKeys.session });
    return connect(events, { onState: setState, onRefused });
  }, [events, client]);
  return <LiveEventsContext value={{ events, state }}>{children}</LiveEventsContext>;
}

export function useLiveState(): LiveState {
  return useLive().state;
}

/** Calls the listener with every event of this name. */
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

interface Told {
  readonly onState: (state: LiveState) => void;
  /** The server answered with something other than a stream: perhaps nobody is signed in any more. */
  readonly onRefused: () => void;
}

function connect(events: LiveEvents, { onState, onRefused }: Told): () => void {
  let source: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(dashboardEventsPath);
    source.addEventListener('error', () => {
      onState('connecting');
      // A browser tries again by itself only where there was no answer.
      if (source.readyState !== EventSource.CLOSED) return;
      onRefused();
      again = setTimeout(open, AGAIN_AFTER_MS);
    });
    const names = Object.keys(dashboardEvents) as DashboardEventName[];
    for (const name of names) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (name === 'live') onState('live');
        if (name === 'ended') {
          source.close();
          onState('ended');
        }
        events.tell(name, dashboardEvents[name].parse(JSON.parse(data)));
      });
    }
  };
  open();
  return () => {
    clearTimeout(again);
    source.close();
  };
}
