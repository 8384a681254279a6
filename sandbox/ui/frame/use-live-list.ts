import { useEffect, useState } from 'react';
import { listenTo } from './event-source.js';
import type { LiveState } from './live-word.js';
import { addressOf, LIST_ADDRESS, useOpenId } from './open-id.js';
import { read } from './read.js';

/** Where a list is read, and which events say that it has changed. */
export interface LiveListSource {
  /** One of them is at this path, a slash and its id. */
  readonly listPath: string;
  readonly eventsPath: string;
  readonly changes: readonly string[];
}

/** What a page of list and pane shows. `lines` is null until the first answer, `open` while the open one is read. */
export interface LiveList<Line, Whole> {
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
