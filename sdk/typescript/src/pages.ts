import { PennytextError } from './errors.js';

interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A list that is read page by page: iterate over its items, or over its pages. */
export class Pages<Item> implements AsyncIterable<Item> {
  constructor(private readonly read: (cursor: string | undefined) => Promise<Page<Item>>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Starts after the page that had this `nextCursor`. A filtered page can be empty. */
  async *pages(after?: string): AsyncGenerator<Page<Item>, void> {
    let cursor: string | null | undefined = after;
    do {
      const page: Page<Item> = await this.read(cursor);
      yield page;
      if (page.nextCursor !== null && page.nextCursor === cursor)
        throw new PennytextError('invalid_answer', 'The next page is the same page.');
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** The first items, at most this many. */
  async take(itemsMax: number): Promise<Item[]> {
    const taken: Item[] = [];
    if (itemsMax < 1) return taken;
    for await (const item of this) {
      taken.push(item);
      if (taken.length >= itemsMax) break;
    }
    return taken;
  }
}

/**
 * The page of an answer. Items or a cursor that are missing are none.
 * @internal
 */
export function pageOf<Item>(items: readonly Item[] | null | undefined, cursor: string | null | undefined): Page<Item> {
  return { items: items ?? [], nextCursor: cursor || null };
}
