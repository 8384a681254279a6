import { DomainError } from '../platform/errors/domain-error.js';
import { numberIdFromPublic, poolIdFromPublic } from '../rules/ids.js';
import { numberOrSender } from '../rules/phone-numbers.js';
import { type AccountNumbers, type KnownNumber, mayBeSender } from './number-directory.js';

/** Of what a caller sent as `from`, in an answer. */
const SHOWN_CHARACTERS_MAX = 40;
const NOT_CHARGED = 'You were not charged.';

/**
 * The senders that `from` names, among what an account has to itself: a number by its digits or its
 * id, or the numbers of a pool by its id. Returns `from_unknown` or `from_inactive` when there is none.
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

/** The error for a number that the account has had. */
export function wasReleased(from: string): DomainError {
  return new DomainError('from_inactive', `${shownOf(from)} was released. ${NOT_CHARGED}`);
}

function shownOf(from: string): string {
  return from.length > SHOWN_CHARACTERS_MAX ? `${from.slice(0, SHOWN_CHARACTERS_MAX)}…` : from;
}

/** A number can be typed in any form, so that it is read only if it is not there as it is stored. */
function isNamed(from: string): (number: KnownNumber) => boolean {
  const numberId = numberIdFromPublic(from);
  if (numberId !== undefined) return ({ id }) => id === numberId;
  const typed = numberOrSender(from);
  return ({ number }) => number === typed;
}

function unknown(shown: string): DomainError {
  return new DomainError('from_unknown', `"${shown}" is neither a number nor a pool of your account. ${NOT_CHARGED}`);
}
