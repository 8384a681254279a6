const CONNECT_AGAIN_AFTER_MS = 3_000;

/** What to do on each kind of event; `error` is called when the line is lost. */
export type EventHandlers = Readonly<Record<string, (data: string) => void>>;

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
