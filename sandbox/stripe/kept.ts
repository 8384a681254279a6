import { invalidRequest, resourceMissing } from './stripe-error.js';

/** A page of a list, asked for by Stripe's cursors. */
export interface ListQuery {
  readonly limit: number;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
}

/** Stripe's list object. */
export interface StripeList<T> {
  readonly object: 'list';
  readonly data: T[];
  readonly has_more: boolean;
  readonly url: string;
}

/** Objects of one kind by id, in order of arrival, bounded to the newest. */
export class Kept<T extends { readonly id: string }> {
  private readonly byId = new Map<string, T>();

  /** `noun` is what Stripe's errors call it. */
  constructor(
    private readonly noun: string,
    private readonly keptMax = 20_000,
  ) {}

  add(item: T): T {
    this.byId.set(item.id, item);
    const [oldest] = this.byId.keys();
    if (this.byId.size > this.keptMax && oldest !== undefined) this.byId.delete(oldest);
    return item;
  }

  find(id: string): T | undefined {
    return this.byId.get(id);
  }

  /** Throws Stripe's `resource_missing`: with 404 for the object of the path, else with 400. */
  get(id: string, param?: string): T {
    const item = this.byId.get(id);
    if (item === undefined) throw resourceMissing(this.noun, id, param, param === undefined ? 404 : 400);
    return item;
  }

  newestFirst(): T[] {
    return [...this.byId.values()].reverse();
  }

  /** A page of the items that `matches` lets through, newest first. */
  list(url: string, query: ListQuery, matches: (item: T) => boolean = () => true): StripeList<T> {
    const all = this.newestFirst().filter(matches);
    const place = (id: string, param: string) => {
      const index = all.findIndex((item) => item.id === id);
      if (index === -1) throw invalidRequest(`No such ${this.noun}: '${id}'`, { code: 'resource_missing', param });
      return index;
    };
    const { limit, starting_after: after, ending_before: before } = query;
    const end = before === undefined ? undefined : place(before, 'ending_before');
    const start = after === undefined ? 0 : place(after, 'starting_after') + 1;
    if (end !== undefined) {
      const from = Math.max(0, end - limit);
      return { object: 'list', data: all.slice(from, end), has_more: from > 0, url };
    }
    return { object: 'list', data: all.slice(start, start + limit), has_more: all.length > start + limit, url };
  }

  clear(): void {
    this.byId.clear();
  }
}
