import {
  briefDayText,
  briefTimestamp,
  cutText,
  dayText,
  elapsedText,
  encodingText,
  endOfNewYorkDay,
  newYorkDay,
  newYorkMoment,
  newYorkTime,
  orRemoved,
  shortDayText,
  shownCharacter,
  startOfNewYorkDay,
  wholeNumber,
} from './format.js';

describe('newYorkDay', () => {
  it.each([
    ['2026-11-22T04:59:59.999Z', '2026-11-21'],
    ['2026-11-22T05:00:00Z', '2026-11-22'],
    ['2026-07-04T03:59:59.999Z', '2026-07-03'],
  ])('returns the day of %s: %s', (at, day) => expect(newYorkDay(new Date(at))).toBe(day));
});

describe('date formats', () => {
  it.each([
    ['2026-11-21T20:04:05Z', '11/21/2026, 3:04:05 PM'],
    ['2026-07-04T04:00:00.000Z', '7/4/2026, 12:00:00 AM'],
  ])('%s is %s in New York', (instant, text) => {
    expect(newYorkTime(instant)).toBe(text);
  });

  it('formats a calendar day independently of the time zone', () => {
    expect([dayText('2026-11-01'), shortDayText('2026-03-08')]).toEqual(['Nov 1, 2026', 'Mar 8']);
  });
});

describe('New York days', () => {
  it.each([
    ['2026-01-15', '2026-01-15T05:00:00.000Z', '2026-01-16T05:00:00.000Z'],
    ['2026-07-04', '2026-07-04T04:00:00.000Z', '2026-07-05T04:00:00.000Z'],
    ['2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['2026-12-31', '2026-12-31T05:00:00.000Z', '2027-01-01T05:00:00.000Z'],
  ])('finds the start and end of %s across daylight saving changes', (day, start, end) => {
    expect([startOfNewYorkDay(day), endOfNewYorkDay(day)]).toEqual([start, end]);
  });

  it.each(['9999-12-30', '10000-01-01', '275760-09-13'])('takes %s of a date field as the last day', (day) => {
    expect([startOfNewYorkDay(day), endOfNewYorkDay(day)]).toEqual([
      '9999-12-30T05:00:00.000Z',
      '9999-12-31T05:00:00.000Z',
    ]);
  });
});

const thirty = '123456789012345678901234567890';
const family = '👨‍👩‍👧‍👦';

describe('briefDayText', () => {
  const newYear = new Date('2027-01-01T05:00:00Z');

  it('leaves out the current year of New York', () => {
    expect(briefDayText('2026-12-31', new Date(newYear.getTime() - 1))).toBe('Dec 31');
    expect(briefDayText('2026-12-31', newYear)).toBe('Dec 31, 2026');
  });
});

describe('cutText', () => {
  it.each([
    ['', '', false],
    [thirty, thirty, false],
    [`${thirty}1`, `${thirty}...`, true],
    [`${thirty} `, `${thirty}...`, true],
    ['é'.repeat(31), `${'é'.repeat(30)}...`, true],
    ['😀'.repeat(30), '😀'.repeat(30), false],
    ['😀'.repeat(31), `${'😀'.repeat(30)}...`, true],
    [`${'a'.repeat(29)}${family}b`, `${'a'.repeat(29)}${family}...`, true],
    [family.repeat(30), family.repeat(30), false],
    ['e\u0301'.repeat(31), `${'e\u0301'.repeat(30)}...`, true],
    ['שלום עולם, זו הודעה ארוכה מאוד באמת', 'שלום עולם, זו הודעה ארוכה מאוד...', true],
  ])('%j is shown as %j', (text, shown, isCut) => {
    expect(cutText(text)).toEqual({ shown, isCut });
  });
});

describe('shownCharacter', () => {
  it.each([
    ['ж', 'ж'],
    ['😀', '😀'],
    ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['\u00a0', 'U+00A0'],
    ['\u200b', 'U+200B'],
    ['\u202e', 'U+202E'],
    ['\u0301', 'U+0301'],
  ])('shows %j as %s', (character, shown) => {
    expect(shownCharacter(character)).toBe(shown);
  });
});

describe('wholeNumber', () => {
  it.each([
    ['0', 0],
    [' 24 ', 24],
    ['073', 73],
    [' 1,000 ', 1_000],
    ['1000000', 1_000_000],
    ['1,000,000', 1_000_000],
    ['1,00', NaN],
    ['-1', NaN],
    ['1.5', NaN],
    ['1e1', NaN],
    ['ten', NaN],
    ['1234567890', NaN],
    ['', NaN],
  ])('reads %j as %p', (typed, number) => {
    expect(wholeNumber(typed)).toBe(number);
  });
});

describe('orRemoved', () => {
  it('tells a reply without a text from one whose text was erased', () => {
    expect([orRemoved('', false), orRemoved('', true), orRemoved('Hi', false)]).toEqual([
      'Empty message',
      'Removed',
      'Hi',
    ]);
  });

  it('names a text that was erased', () => {
    expect([orRemoved(''), orRemoved(' '), orRemoved('Hello')]).toEqual(['Removed', ' ', 'Hello']);
  });
});

describe('newYorkMoment', () => {
  it('has the year only if it is another one', () => {
    const year = newYorkDay(new Date()).slice(0, 4);
    expect(newYorkMoment(`${year}-07-04T16:05:00Z`)).toBe('Jul 4, 12:05 PM');
    expect(newYorkMoment('2001-07-04T16:05:00Z')).toBe('Jul 4, 2001, 12:05 PM');
  });
});

describe('briefTimestamp', () => {
  it.each([
    ['7/4/2001, 12:05:09 PM', 'Jul 4, 2001, 12:05 PM'],
    ['12/31/2001, 1:05:09 AM', 'Dec 31, 2001, 1:05 AM'],
    ['soon', 'soon'],
  ])('shows %j as %j', (text, brief) => expect(briefTimestamp(text)).toBe(brief));
});

describe('elapsedText', () => {
  it.each([
    [0, '0.0 s'],
    [-5, '0.0 s'],
    [1_149, '1.1 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [119_499, '119 s'],
    [120_000, '2 min'],
    [7_199_999, '120 min'],
    [7_200_000, '2 h'],
    [172_800_000, '2 d'],
  ])('%d ms are %s', (ms, text) => {
    const from = new Date('2026-11-24T12:00:00Z');
    expect(elapsedText(from.toISOString(), new Date(from.getTime() + ms).toISOString())).toBe(text);
  });
});

describe('encodingText', () => {
  it('names UCS-2 as people know it', () => {
    expect(encodingText('UCS-2')).toBe('Unicode (UCS-2)');
    expect(encodingText('GSM-7')).toBe('GSM-7');
  });
});
