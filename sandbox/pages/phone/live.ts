import type { MessageView } from './phone-api.js';

const CONNECT_AGAIN_AFTER_MS = 3_000;

/** What the sandbox tells a page that stays open. */
export interface LiveEvents {
  /** The line stands; `boot` names the run of the sandbox, so that a restart is noticed. */
  hello(boot: string): void;
  changes(messages: readonly MessageView[]): void;
  /** Too much changed to tell one by one. */
  many(): void;
  cleared(): void;
  lost(): void;
}

/** Listens to the sandbox until the returned function is called; connects again by itself. */
export function listen(events: LiveEvents): () => void {
  let source: EventSource;
  let timer: number | undefined;

  const connect = () => {
    source = new EventSource('/_phone/events');
    source.addEventListener('hello', (event) => events.hello((JSON.parse(event.data) as { boot: string }).boot));
    source.addEventListener('changes', (event) => events.changes(JSON.parse(event.data) as MessageView[]));
    source.addEventListener('many', () => events.many());
    source.addEventListener('cleared', () => events.cleared());
    source.addEventListener('error', () => {
      events.lost();
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
