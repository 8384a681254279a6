import { z } from 'zod';
import { billingQuery } from './billing.js';
import { activityQuery } from './dashboard.js';
import { faultText } from './faults.js';
import { conversationQuery, conversationsQuery, ledgerFilter, ledgerQuery, sentQuery } from './histories.js';
import { availableNumbersFilter, changeNumberBody, numberSettingsBody } from './numbers.js';
import { numberOfDigits, wholeNumber } from './whole-numbers.js';

/** Texts that JavaScript reads as 10, a value which every field below accepts. */
const otherForms = ['0xa', '0b1010', ' 10', '10 ', '1e1', '+10', '10.0', '１０'];

/** Fields of a query, or of a form, that are whole numbers. */
const fields: readonly (readonly [string, z.ZodObject])[] = [
  ['limit', availableNumbersFilter],
  ['strangers_per_day', changeNumberBody],
  ['strangers_per_day', numberSettingsBody],
  ['page', billingQuery],
  ['days', activityQuery],
  ['continue', ledgerFilter],
  ['page', ledgerQuery],
  ['size', sentQuery],
  ['sent', conversationsQuery],
  ['received', conversationsQuery],
  ['below', conversationsQuery],
  ['below', conversationQuery],
];

describe('wholeNumber', () => {
  it.each(fields)('reads %s of decimal digits only', (name, schema) => {
    expect(schema.parse({ [name]: '10' })).toMatchObject({ [name]: 10 });
    for (const value of [...otherForms, ['10'], true])
      expect([value, schema.safeParse({ [name]: value }).error?.issues.map(({ path }) => path)]).toEqual([
        value,
        [[name]],
      ]);
  });

  it('names what it expects in plain words', () => {
    const field = wholeNumber(1, 50);
    const fault = (value: unknown) => field.safeParse(value, { error: faultText }).error?.issues[0]?.message;
    expect(['0x5', '', 1.5, true, undefined, '0', 51].map(fault)).toEqual([
      'must be a whole number',
      'must be a whole number',
      'must be a whole number',
      'must be a whole number',
      'is missing',
      'must be at least 1',
      'must be at most 50',
    ]);
  });
});

describe('numberOfDigits', () => {
  it('is NaN for other forms of a number, and for an empty text', () => {
    expect([...otherForms, ''].map(numberOfDigits)).toEqual([...otherForms, ''].map(() => Number.NaN));
    expect(numberOfDigits(String(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
  });
});
