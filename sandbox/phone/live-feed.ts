import type { ServerResponse } from 'node:http';
import { EventStream } from '../live/event-stream.js';
import type { Message } from '../twilio/message.js';
import type { MessageWatcher } from '../twilio/message-store.js';
import { viewOf } from './phone-view.js';

const BATCH_EVERY_MS = 100;
/** More changes than this in one batch are not told one by one: the page reads its view again. */
const CHANGES_PER_BATCH_MAX = 200;

/** Tells open phone pages what changes, in batches. Costs nothing while no page is open. */
export class LiveFeed implements MessageWatcher {
  private readonly stream = new EventStream();
  private readonly changes = new Set<Message>();
  private overflowed = false;
  private batch: NodeJS.Timeout | undefined;

  /** Takes a page in; false if there are too many already. */
  join(client: ServerResponse): boolean {
    return this.stream.join(client);
  }

  added(message: Message): void {
    this.note(message);
  }

  changed(message: Message): void {
    this.note(message);
  }

  cleared(): void {
    this.changes.clear();
    this.overflowed = false;
    this.stream.send('cleared', {});
  }

  close(): void {
    clearTimeout(this.batch);
    this.stream.close();
  }

  private note(message: Message): void {
    if (!this.stream.isWatched) return;
    if (this.changes.size < CHANGES_PER_BATCH_MAX) this.changes.add(message);
    else if (!this.changes.has(message)) this.overflowed = true;
    this.batch ??= setTimeout(() => this.flush(), BATCH_EVERY_MS);
  }

  private flush(): void {
    this.batch = undefined;
    if (this.overflowed) this.stream.send('many', {});
    else if (this.changes.size > 0) this.stream.send('changes', [...this.changes].map(viewOf));
    this.changes.clear();
    this.overflowed = false;
  }
}
