import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';

const CONNECT_AGAIN_AFTER_MS = 3_000;

/** Reads JSON from the sandbox, or posts a body. Throws with the sandbox's error text. */
export async function call<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(path, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const json = (await answer.json()) as T & { error?: string };
  if (!answer.ok) throw new Error(json.error ?? `The sandbox answered ${answer.status}.`);
  return json;
}

/** Text of a failed call. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The sandbox could not be reached.';
}

export type LiveState = 'connecting' | 'live' | 'lost';

/**
 * Follows server-sent events: on these and after a new connection, everything on the page is read
 * again.
 */
export function useLive(eventsPath: string, events: readonly string[]): LiveState {
  const queries = useQueryClient();
  const [live, setLive] = useState<LiveState>('connecting');
  const names = events.join(' ');

  useEffect(() => {
    let source: EventSource;
    let timer: number | undefined;
    const refresh = () => void queries.invalidateQueries();
    const connect = () => {
      source = new EventSource(eventsPath);
      source.addEventListener('hello', () => {
        setLive('live');
        refresh();
      });
      for (const name of names.split(' ')) source.addEventListener(name, refresh);
      source.addEventListener('error', () => {
        setLive('lost');
        // The browser reconnects after a broken connection, but not after an answer that is not an
        // event stream.
        if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(connect, CONNECT_AGAIN_AFTER_MS);
      });
    };
    connect();
    return () => {
      window.clearTimeout(timer);
      source.close();
    };
  }, [queries, eventsPath, names]);

  return live;
}

/** Link to the list. */
export const LIST_ADDRESS = '#/';

/** Link to one item. */
export function addressOf(id: string): string {
  return `#/${id}`;
}

/** The open item according to the URL, so that Back works; null for the list. */
export function useOpenId(): string | null {
  return useSyncExternalStore(onHashChange, idInAddress);
}

function onHashChange(follow: () => void): () => void {
  window.addEventListener('hashchange', follow);
  return () => window.removeEventListener('hashchange', follow);
}

function idInAddress(): string | null {
  return decodeURIComponent(window.location.hash.replace(/^#\/?/, '')) || null;
}

/** Opens the newest item on wide screens; phones show the list first. */
export function useOpenNewest(newest: string | undefined): void {
  useEffect(() => {
    const hasRoom = window.matchMedia('(min-width: 720px)').matches;
    if (hasRoom && newest !== undefined && window.location.hash === '') window.location.replace(addressOf(newest));
  }, [newest]);
}

/** A list, newest first, and the item in the URL. Both are undefined until they are read. */
export function useItems<Line extends { readonly id: string }, Item>(listPath: string) {
  const openId = useOpenId();
  const list = useQuery({ queryKey: [listPath], queryFn: () => call<readonly Line[]>(listPath) });
  const lines = list.data;
  // An item of an earlier run no longer exists.
  const isGone = openId !== null && lines !== undefined && !lines.some(({ id }) => id === openId);
  const item = useQuery({
    queryKey: [listPath, openId],
    queryFn: () => call<Item>(`${listPath}/${openId}`),
    enabled: openId !== null && lines !== undefined && !isGone,
  });
  useOpenNewest(lines?.[0]?.id);
  useEffect(() => {
    if (isGone) window.location.replace(LIST_ADDRESS);
  }, [isGone]);
  return { lines, openId, item: item.data, isFailed: list.isError || item.isError };
}
