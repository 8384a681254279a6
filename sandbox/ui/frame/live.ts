import { useEffect, useState } from 'react';
import type { LiveState } from './frame.js';

const CONNECT_AGAIN_AFTER_MS = 3_000;

/** Handlers by event type. */
type EventHandlers = Readonly<Record<string, (data: string) => void>>;

/** Subscribes to server-sent events and reconnects; the returned function unsubscribes. */
export function listenTo(path: string, handlers: EventHandlers, onLost: () => void): () => void {
  let source: EventSource;
  let timer: number | undefined;

  const connect = () => {
    source = new EventSource(path);
    for (const [kind, handle] of Object.entries(handlers)) {
      source.addEventListener(kind, (event: MessageEvent<string>) => handle(event.data));
    }
    source.addEventListener('error', () => {
      onLost();
      // The browser reconnects after a broken connection, but not after an answer that is not an event stream.
      if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(connect, CONNECT_AGAIN_AFTER_MS);
    });
  };

  connect();
  return () => {
    window.clearTimeout(timer);
    source.close();
  };
}

/** Reads JSON from the sandbox. Throws unless the answer is 2xx. */
export async function read<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}.`);
  return (await answer.json()) as T;
}

/** Posts JSON and returns the answer. Throws with the sandbox's error text. */
export async function post<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as T & { error?: string };
  if (!answer.ok) throw new Error(json.error ?? `The sandbox answered ${answer.status}.`);
  return json;
}

/** Link to the list. */
export const LIST_ADDRESS = '#/';

/** Link to one item. */
export function addressOf(id: string): string {
  return `#/${id}`;
}

/** The open item according to the URL; null for the list. */
function useOpenId(): string | null {
  const [openId, setOpenId] = useState(idInAddress);
  useEffect(() => {
    const follow = () => setOpenId(idInAddress());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return openId;
}

function idInAddress(): string | null {
  const id = window.location.hash.replace(/^#\/?/, '');
  return id === '' ? null : id;
}

/** Paths of a list and the events that announce its changes. */
export interface LiveListSource {
  /** An item is at this path, a slash and its id. */
  readonly listPath: string;
  readonly eventsPath: string;
  readonly changes: readonly string[];
}

/** State of a list page. `lines` is null until the first answer, `open` while the item loads. */
interface LiveList<Line, Whole> {
  readonly lines: readonly Line[] | null;
  readonly openId: string | null;
  readonly open: Whole | null;
  readonly live: LiveState;
  readonly isFailed: boolean;
}

/** Follows a list, newest first, and loads the item in the URL. `source` must be stable. */
export function useLiveList<Line extends { readonly id: string }, Whole extends { readonly id: string }>(
  source: LiveListSource,
): LiveList<Line, Whole> {
  const [lines, setLines] = useState<readonly Line[] | null>(null);
  const [open, setOpen] = useState<Whole | null>(null);
  const [live, setLive] = useState<LiveState>('connecting');
  const [isFailed, setIsFailed] = useState(false);
  const openId = useOpenId();

  useEffect(() => {
    const refresh = oneAtATime(async () => {
      try {
        setLines(await read<Line[]>(source.listPath));
        setIsFailed(false);
      } catch {
        // The page shows the failure and reloads when the connection is back.
        setIsFailed(true);
      }
    });
    const hello = () => {
      setLive('live');
      refresh();
    };
    const handlers = Object.fromEntries(source.changes.map((kind) => [kind, refresh]));
    return listenTo(source.eventsPath, { ...handlers, hello }, () => {
      setLive('lost');
      setIsFailed(true);
    });
  }, [source]);

  // Opens the newest item on wide screens; phones show the list first.
  const newest = lines?.[0]?.id;
  useEffect(() => {
    const hasRoom = window.matchMedia('(min-width: 720px)').matches;
    if (hasRoom && newest !== undefined && window.location.hash === '') window.location.replace(addressOf(newest));
  }, [newest]);

  // Reloads the open item when the list changes.
  useEffect(() => {
    if (openId === null || lines === null) return;
    // An item of an earlier run no longer exists: show the list.
    if (!lines.some(({ id }) => id === openId)) return window.location.replace(LIST_ADDRESS);
    let isCurrent = true;
    read<Whole>(`${source.listPath}/${encodeURIComponent(openId)}`).then(
      (answer) => isCurrent && setOpen(answer),
      () => isCurrent && setIsFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [source, openId, lines]);

  return { lines, openId, open: open?.id === openId ? open : null, live, isFailed };
}

/** Coalesces calls during a run into one further run. */
function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isAskedAgain = false;
  const run = async () => {
    isRunning = true;
    do {
      isAskedAgain = false;
      await work();
    } while (isAskedAgain);
    isRunning = false;
  };
  return () => {
    if (isRunning) isAskedAgain = true;
    else void run();
  };
}
