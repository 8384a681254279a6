import { alertsBody, topUpBody } from '#contract/billing.js';
import { rotateKeyBody } from '#contract/account.js';
import { foundBy } from './form.js';
import { wholeNumber } from './format.js';

const texts = { threshold: 'Up to the pack.', perMonthMax: 'From 1.' };

describe('foundBy', () => {
  it.each([
    ['0', 0],
    [' 24 ', 24],
    ['72', 72],
    ['073', undefined],
    ['73', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e1', undefined],
    ['', undefined],
    ['a day', undefined],
  ])('reads %j as hours from 0 to 72: %p', (typed, hours) => {
    const given = { keepOldForHours: wholeNumber(typed), cancel_scheduled: false };
    expect(foundBy(rotateKeyBody, given, { keepOldForHours: 'Whole hours.' })).toEqual(
      hours === undefined
        ? { faults: { keepOldForHours: 'Whole hours.' } }
        : { body: { keepOldForHours: hours, cancel_scheduled: false } },
    );
  });

  it.each([
    ['10', 10],
    [' 1,000 ', 1_000],
    ['1000000', 1_000_000],
    ['1,000,000', 1_000_000],
    ['1000001', undefined],
    ['1,00', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['2.5', undefined],
    ['ten', undefined],
    ['', undefined],
  ])('reads %j as credits from 1 to 1,000,000: %p', (typed, credits) => {
    const given = { lowCreditsMail: true, lowCredits: wholeNumber(typed), dailySpend: null };
    expect(foundBy(alertsBody, given, { lowCredits: 'Credits.' })).toEqual(
      credits === undefined ? { faults: { lowCredits: 'Credits.' } } : { body: { ...given, lowCredits: credits } },
    );
  });

  it('names every field that is wrong, also by a rule about two of them', () => {
    const given = { enabled: true, threshold: 1_000_000, pack: 'starter', perMonthMax: 0 };
    expect(foundBy(topUpBody, given, texts)).toEqual({ faults: texts });
    expect(foundBy(topUpBody, { ...given, perMonthMax: 1 }, texts)).toEqual({ faults: { threshold: texts.threshold } });
    expect(foundBy(topUpBody, { ...given, threshold: NaN, perMonthMax: 1 }, texts)).toEqual({
      faults: { threshold: texts.threshold },
    });
  });

  it('throws when a field is wrong that has no text', () => {
    const given = { enabled: true, threshold: 1, pack: 'none', perMonthMax: 0 };
    expect(() => foundBy(topUpBody, given, texts)).toThrow('a field is wrong that has no text for it');
  });
});
