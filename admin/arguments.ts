import { InvalidArgumentError } from 'commander';

const WHOLE_MAX = 1_000_000_000;

/** Readers of what stands on the command line: what they cannot read they refuse in words. */
export function whole(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > WHOLE_MAX)
    throw new InvalidArgumentError(`Give a whole number from 0 to ${WHOLE_MAX}.`);
  return value;
}

export function positive(text: string): number {
  const value = whole(text);
  if (value === 0) throw new InvalidArgumentError(`Give a whole number from 1 to ${WHOLE_MAX}.`);
  return value;
}

export function instant(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\d(T.+)?$/.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Give a date such as 2026-12-31, or an instant such as 2026-12-31T17:00:00Z.');
  return at;
}

export function nonZero(text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value === 0 || Math.abs(value) > WHOLE_MAX) {
    throw new InvalidArgumentError(`Give a whole number other than 0, up to ${WHOLE_MAX}.`);
  }
  return value;
}
