import { currentGroup } from './shards.js';

/** A service's value for each part of the database. */
export class PerGroup<T> {
  private readonly values = new Map<string, T>();

  constructor(private readonly first: () => T) {}

  get(): T {
    return this.values.get(currentGroup() ?? '') ?? this.first();
  }

  set(value: T): void {
    this.values.set(currentGroup() ?? '', value);
  }

  all(): T[] {
    return [...this.values.values()];
  }
}
