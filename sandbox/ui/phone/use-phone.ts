import { useCallback, useEffect, useReducer, useRef } from 'react';
import { listen } from './live.js';
import { readThread, readThreads } from './phone-api.js';
import { firstState, reducePhone, type PhoneState } from './phone-state.js';

const READ_AGAIN_AFTER_MS = 1_000;
const SEARCH_AFTER_MS = 150;

/** The state of the phone page and what a person can do to it. The open number stands in the address, so Back works. */
export interface Phone {
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

  // Opens on the newest thread, once: afterwards the address decides.
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

/** The link that opens a number. */
export function addressOf(phone: string): string {
  return `#/${phone}`;
}

/** The link that shows the list. */
export const LIST_ADDRESS = '#/';

function phoneInAddress(): string | null {
  const phone = decodeURIComponent(window.location.hash.replace(/^#\/?/, ''));
  return phone === '' ? null : phone;
}
