import fc from 'fast-check';
import { needsAnswer, optOutWishOf } from './opt-out-words.js';

const words = {
  stop: [
    'STOP',
    'STOPALL',
    'STOP ALL',
    'UNSUBSCRIBE',
    'CANCEL',
    'END',
    'QUIT',
    'REVOKE',
    'OPTOUT',
    'OPT OUT',
    'OPT-OUT',
  ],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const;

describe('optOutWishOf', () => {
  const table = Object.entries(words).flatMap(([wish, list]) => list.map((word) => [word, wish] as const));

  it.each(table)('recognizes %s, in any letter case, as %s', (word, wish) => {
    const capital = word.charAt(0) + word.slice(1).toLowerCase();
    expect([word, word.toLowerCase(), capital].map(optOutWishOf)).toEqual([wish, wish, wish]);
  });

  it.each([
    [' STOP ', 'white space'],
    ['\n\tSTOP\r\n', 'line breaks'],
    ['Stop.', 'a full stop'],
    ['STOP!!!', 'exclamation marks'],
    ['"stop"', 'quotation marks'],
    ['“Stop”', 'typographic quotation marks'],
    ['¡Stop!', 'Spanish marks'],
    ['(STOP)', 'parentheses'],
    ['stop…', 'an ellipsis'],
    ['ST-OP', 'a hyphen within'],
    ['S.T.O.P.', 'full stops within'],
    ['\u00a0stop\u200b', 'exotic and zero-width spaces'],
    ['\ufeffSTOP', 'a byte order mark'],
    ['S\u200dT\u2060O\u00adP', 'invisible characters within'],
    ['\u3164stop\u115f', 'Hangul fillers'],
    ['\u202eSTOP\u202c', 'direction marks'],
    ['=STOP=', 'symbols'],
    ['$stop$', 'a currency sign'],
    ['STOP™', 'a trade mark sign'],
    ['stop 🛑', 'an emoji'],
    ['🙏🏽STOP👨‍👩‍👧', 'emoji of several characters'],
    ['STOP ❤️', 'an emoji with a variation selector'],
    ['STOP 1️⃣', 'a keycap'],
    ['STOP 🇨🇦', 'a flag'],
    ['STOP 🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'a flag of tags'],
    ['STOP \u{1faff}\u{1f9ff}', 'emoji that are not assigned yet'],
    ['ＳＴＯＰ', 'full-width letters'],
    ['ｓｔｏｐ！', 'full-width letters and punctuation'],
    ['𝐒𝐓𝐎𝐏', 'mathematical letters'],
    ['ⓈⓣⓄⓟ', 'letters in circles'],
    ['🄢🄣🄞🄟', 'letters in parentheses'],
    ['🄲🄰🄽🄲🄴🄻', 'letters in boxes'],
    ['ſtop', 'a long s'],
    ['opt\u2003out', 'an em space between'],
    ['Opt – Out', 'a dash between'],
    ['stop\nall', 'a line break between'],
  ])('sees the word in %j (%s)', (text) => {
    expect(optOutWishOf(text)).toBe('stop');
  });

  it.each([
    '',
    '   ',
    '...',
    '🛑',
    'please stop',
    'STOP it',
    'stop, please',
    'stopped',
    'S T O P',
    'STOP 2',
    'unstopp',
    'YESS',
    'STÖP',
    'STO\u0308P',
    'СТОП',
    'opt',
    'all',
  ])('treats %j as an ordinary text', (text) => {
    expect(optOutWishOf(text)).toBeUndefined();
  });

  it('finds the keyword behind a long row of emoji, and none in a text longer than an SMS', () => {
    expect(optOutWishOf(`STOP ${'👨‍👩‍👧'.repeat(60)}`)).toBe('stop');
    expect(optOutWishOf(`${'.'.repeat(2_000)}STOP`)).toBeUndefined();
    expect(optOutWishOf('STOP '.repeat(100))).toBeUndefined();
  });

  it('finds no keyword in a text with two words', () => {
    const word = fc.constantFrom(...table.map(([one]) => one));
    fc.assert(fc.property(word, word, (one, other) => optOutWishOf(`${one} ${other}`) === undefined));
  });

  it('finds a keyword among any characters that are no letters, marks or digits', () => {
    const unread = fc
      .stringMatching(/^[^\p{L}\p{M}\p{N}]{0,20}$/u)
      .filter((text) => !/\p{L}/u.test(text.normalize('NFKC')));
    fc.assert(
      fc.property(fc.constantFrom(...table), unread, unread, ([word, wish], before, after) => {
        expect(optOutWishOf(`${before}${word}${after}`)).toBe(wish);
      }),
    );
  });
});

describe('a reply', () => {
  it.each([
    ['START', false],
    ['unstop', false],
    ['Stop.', false],
    ['Yes!', true],
    ['HELP', true],
    ['Start at 8?', true],
    ['', true],
  ])('%j waits for an answer: %s', (text, expected) => expect(needsAnswer(text)).toBe(expected));
});
