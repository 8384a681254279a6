import { DomainError } from '../platform/errors/domain-error.js';
import { numberIdFromPublic, poolIdFromPublic } from '../rules/ids.js';
import { numberOrSender } from '../rules/phone-numbers.js';
import { type AccountNumbers, type KnownNumber, mayBeSender } from './number-directory.js';

/** Characters of the caller's `from` that an answer shows. */
const SHOWN_CHARACTERS_MAX = 40;
const NOT_CHARGED = 'You were not charged.';

/**
 * Returns the senders that `from` names, among an account's own: a number by its digits or its id,
 * or the numbers of a pool by its id. Returns `from_unknown` or `from_inactive` without a sender.
 */
export function sendersOf({ numbers, pools }: AccountNumbers, from: string): readonly string[] | DomainError {
  const shown = shownOf(from);
  const poolId = poolIdFromPublic(from);
  if (poolId !== undefined) {
    const pool = pools.find(({ id }) => id === poolId);
    if (!pool) return unknown(shown);
    return pool.senders.length > 0
      ? pool.senders
      : new DomainError('from_inactive', `No number of the pool ${shown} can send now. ${NOT_CHARGED}`);
  }
  const named = numbers.find(({ number }) => number === from) ?? numbers.find(isNamed(from));
  if (!named) return unknown(shown);
  if (mayBeSender(named)) return [named.number];
  return new DomainError('from_inactive', `${shown} cannot send: it is ${named.status}. ${NOT_CHARGED}`);
}

/** Returns the error for a number that the account has had. */
export function wasReleased(from: string): DomainError {
  return new DomainError('from_inactive', `${shownOf(from)} was released. ${NOT_CHARGED}`);
}

function shownOf(from: string): string {
  return from.length > SHOWN_CHARACTERS_MAX ? `${from.slice(0, SHOWN_CHARACTERS_MAX)}…` : from;
}

/**
 * Tried after the stored form, because `from` may be typed in any form and then has to be parsed.
 */
function isNamed(from: string): (number: KnownNumber) => boolean {
  const numberId = numberIdFromPublic(from);
  if (numberId !== undefined) return ({ id }) => id === numberId;
  const typed = numberOrSender(from);
  return ({ number }) => number === typed;
}

function unknown(shown: string): DomainError {
  return new DomainError('from_unknown', `"${shown}" is neither a number nor a pool of your account. ${NOT_CHARGED}`);
}
