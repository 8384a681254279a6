import { useEffect, useState } from 'react';
import type { LiveState } from './frame.js';

const CONNECT_AGAIN_AFTER_MS = 3_000;

/** What to do on each kind of event; `error` is called when the line is lost. */
type EventHandlers = Readonly<Record<string, (data: string) => void>>;

/** Listens to the sandbox until the returned function is called; connects again by itself. */
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
      // The browser tries again after a broken line, but not after an answer that was no event stream.
      if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(connect, CONNECT_AGAIN_AFTER_MS);
    });
  };

  connect();
  return () => {
    window.clearTimeout(timer);
    source.close();
  };
}

/** Reads JSON of the sandbox. Throws when it does not answer 2xx. */
export async function read<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}.`);
  return (await answer.json()) as T;
}

/** Posts JSON and reads the answer. Throws with the sandbox's own words when it does not take it. */
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

/** The link that shows the list. */
export const LIST_ADDRESS = '#/';

/** The link that opens one thing of the list. */
export function addressOf(id: string): string {
  return `#/${id}`;
}

/** What is open, by the address; null for the list alone. */
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

/** Where a list is read, and which events say that it has changed. */
export interface LiveListSource {
  /** One of them is at this path, a slash and its id. */
  readonly listPath: string;
  readonly eventsPath: string;
  readonly changes: readonly string[];
}

/** What a page of list and pane shows. `lines` is null until the first answer, `open` while the open one is read. */
interface LiveList<Line, Whole> {
  readonly lines: readonly Line[] | null;
  readonly openId: string | null;
  readonly open: Whole | null;
  readonly live: LiveState;
  readonly isFailed: boolean;
}

/** Follows a list, newest first, and reads the one that the address names. `source` must be the same at every call. */
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
        // The page says so, and reads again when the line of events is back.
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

  // Opens on the newest where there is room for both; on a phone the list comes first.
  const newest = lines?.[0]?.id;
  useEffect(() => {
    const hasRoom = window.matchMedia('(min-width: 720px)').matches;
    if (hasRoom && newest !== undefined && window.location.hash === '') window.location.replace(addressOf(newest));
  }, [newest]);

  // Read anew when the list changes: what is open may have changed too.
  useEffect(() => {
    if (openId === null || lines === null) return;
    // One of an earlier run is gone: the list is what there is.
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

/** Calls that come while the work is under way are done together, once more, after it. */
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
