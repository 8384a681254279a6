// Below this many dead slots at the front, moving the rest would cost more than it frees.
const DEAD_SLOTS_MIN = 1024;

/** A list that grows at the end and shrinks at the front, both in constant time. */
export class Deque<T> {
  private items: (T | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  /** The item at a position counted from the front, or undefined outside of the list. */
  at(index: number): T | undefined {
    return index < 0 ? undefined : this.items[this.head + index];
  }

  get last(): T | undefined {
    return this.length === 0 ? undefined : this.items[this.items.length - 1];
  }

  push(item: T): void {
    // A literal has room for one item only, where a push into an empty array reserves 17: most phones get one message.
    if (this.items.length === 0) this.items = [item];
    else this.items.push(item);
  }

  shift(): T | undefined {
    const item = this.items[this.head];
    if (item === undefined) return undefined;
    this.items[this.head] = undefined;
    this.head += 1;
    if (this.head === this.items.length) this.clear();
    else if (this.head >= DEAD_SLOTS_MIN && this.head * 2 >= this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  clear(): void {
    this.items = [];
    this.head = 0;
  }
}
