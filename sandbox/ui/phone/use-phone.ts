import { useCallback, useEffect, useReducer, useRef } from 'react';
import { listenTo, post, read } from '../frame/live.js';
import type { MessageView, ThreadsView, ThreadView } from '../../phone/phone-view.js';
import { firstState, type PhoneState, reducePhone } from './phone-state.js';

/** Events for an open phone page. */
interface LiveEvents {
  /** Connected; `boot` identifies the run of the sandbox, so that a restart is noticed. */
  hello(boot: string): void;
  changes(messages: readonly MessageView[]): void;
  /** Too many changes to list. */
  many(): void;
  cleared(): void;
  lost(): void;
}

/** Subscribes to the events; the returned function unsubscribes. */
function listen(events: LiveEvents): () => void {
  const handlers = {
    hello: (data: string) => events.hello((JSON.parse(data) as { boot: string }).boot),
    changes: (data: string) => events.changes(JSON.parse(data) as MessageView[]),
    many: () => events.many(),
    cleared: () => events.cleared(),
  };
  return listenTo('/_phone/events', handlers, () => events.lost());
}

export type { MessageView, ThreadsView, ThreadView };

/** The list of threads, the product's URL and its last sender. */
export interface ThreadsAnswer extends ThreadsView {
  readonly productUrl: string;
  readonly sender: string;
}

function readThreads(digits: string, before?: number): Promise<ThreadsAnswer> {
  return readWith('/_phone/threads', { digits, before });
}

function readThread(phone: string, before?: number): Promise<ThreadView> {
  return readWith(`/_phone/threads/${encodeURIComponent(phone)}`, { before });
}

/** Sends a reply as this phone. Resolves with any answer of the product; throws when the sandbox rejects the reply. */
export async function sendReply(phone: string, sender: string, text: string): Promise<void> {
  await post('/_control/inbound', { from: phone, to: sender, body: text });
}

function readWith<T>(path: string, query: Record<string, string | number | undefined>): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return read(`${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`);
}

const READ_AGAIN_AFTER_MS = 1_000;
const SEARCH_AFTER_MS = 150;

/** State and actions of the phone page. The open number is in the URL, so Back works. */
interface Phone {
  readonly state: PhoneState;
  search(digits: string): void;
  readMore(): void;
  readEarlier(): void;
}

export function usePhone(): Phone {
  const [state, dispatch] = useReducer(reducePhone, firstState);
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  }, [state]);

  const run = useCallback((work: Promise<void>) => {
    work.catch(() => dispatch({ kind: 'failed' }));
  }, []);

  const refreshThread = useCallback(async (phone: string, fresh: boolean) => {
    dispatch({ kind: 'thread read', phone, answer: await readThread(phone), fresh });
  }, []);

  const refresh = useCallback(
    async (fresh: boolean) => {
      const { digits, openPhone } = latest.current;
      const [answer] = await Promise.all([
        readThreads(digits),
        openPhone === null ? undefined : refreshThread(openPhone, fresh),
      ]);
      dispatch({ kind: 'threads read', answer, digits, fresh });
    },
    [refreshThread],
  );

  useEffect(() => {
    const follow = () => {
      const phone = phoneInAddress();
      dispatch({ kind: 'opened', phone });
      if (phone !== null) run(refreshThread(phone, false));
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [refreshThread, run]);

  useEffect(() => {
    let boot: string | null = null;
    let timer: number | undefined;
    const stop = listen({
      hello: (named) => {
        dispatch({ kind: 'live', live: 'live' });
        run(refresh(boot !== named));
        boot = named;
      },
      changes: (messages) => dispatch({ kind: 'changes', messages }),
      many: () => {
        timer ??= window.setTimeout(() => {
          timer = undefined;
          run(refresh(false));
        }, READ_AGAIN_AFTER_MS);
      },
      cleared: () => run(refresh(true)),
      lost: () => {
        dispatch({ kind: 'live', live: 'lost' });
        dispatch({ kind: 'failed' });
      },
    });
    return () => {
      window.clearTimeout(timer);
      stop();
    };
  }, [refresh, run]);

  // Opens the newest thread once; afterwards the URL decides.
  const newest = state.threads[0]?.phone;
  const settled = useRef(false);
  useEffect(() => {
    if (settled.current || newest === undefined) return;
    settled.current = true;
    if (window.location.hash === '') window.location.replace(addressOf(newest));
  }, [newest]);

  const searchTimer = useRef<number | undefined>(undefined);
  const search = (digits: string) => {
    window.clearTimeout(searchTimer.current);
    searchTimer.current = window.setTimeout(() => {
      dispatch({ kind: 'searched', digits });
      run(readThreads(digits).then((answer) => dispatch({ kind: 'threads read', answer, digits, fresh: true })));
    }, SEARCH_AFTER_MS);
  };

  const readMore = () => {
    const { digits, next } = state;
    if (next === null) return;
    run(readThreads(digits, next).then((answer) => dispatch({ kind: 'more threads read', answer, digits })));
  };

  const readEarlier = () => {
    const { openPhone, earlier } = state;
    if (openPhone === null || earlier === null) return;
    run(readThread(openPhone, earlier).then((answer) => dispatch({ kind: 'earlier read', phone: openPhone, answer })));
  };

  return { state, search, readMore, readEarlier };
}

/** Link to a number. */
export function addressOf(phone: string): string {
  return `#/${phone}`;
}

/** Link to the list. */
export const LIST_ADDRESS = '#/';

function phoneInAddress(): string | null {
  const phone = decodeURIComponent(window.location.hash.replace(/^#\/?/, ''));
  return phone === '' ? null : phone;
}
