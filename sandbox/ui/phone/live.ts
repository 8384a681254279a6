import { listenTo } from '../frame/event-source.js';
import type { MessageView } from './phone-api.js';

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

/** Listens to the sandbox until the returned function is called. */
export function listen(events: LiveEvents): () => void {
  const handlers = {
    hello: (data: string) => events.hello((JSON.parse(data) as { boot: string }).boot),
    changes: (data: string) => events.changes(JSON.parse(data) as MessageView[]),
    many: () => events.many(),
    cleared: () => events.cleared(),
  };
  return listenTo('/_phone/events', handlers, () => events.lost());
}
