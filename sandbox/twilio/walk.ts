import type { Deque } from './deque.js';
import type { Message } from './message.js';

type Direction = 'older' | 'newer';

/** Walks a list from the message beside `cursor` (a sequence, itself left out) towards older or newer ones. */
export function* walk(list: Deque<Message> | undefined, cursor: number, direction: Direction): Generator<Message> {
  if (list === undefined) return;
  const step = direction === 'older' ? -1 : 1;
  let index = direction === 'older' ? firstAtOrAfter(list, cursor) - 1 : firstAtOrAfter(list, cursor + 1);
  for (let message = list.at(index); message !== undefined; message = list.at((index += step))) yield message;
}

/** Walks two lists at once in one order. */
export function* walkBoth(
  one: Generator<Message>,
  other: Generator<Message>,
  direction: Direction,
): Generator<Message> {
  let left = one.next();
  let right = other.next();
  while (!left.done || !right.done) {
    const takeLeft =
      !left.done && (right.done || left.value.sequence > right.value.sequence === (direction === 'older'));
    if (takeLeft) {
      yield left.value as Message;
      left = one.next();
    } else {
      yield right.value as Message;
      right = other.next();
    }
  }
}

/** The position of the first message whose sequence is at least this one; the list's length if there is none. */
export function firstAtOrAfter(list: Deque<Message>, sequence: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list.at(middle)?.sequence ?? Infinity) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
