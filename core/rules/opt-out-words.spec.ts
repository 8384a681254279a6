import fc from 'fast-check';
import { optOutWishOf } from './opt-out-words.js';

const words = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const;

describe('optOutWishOf', () => {
  const table = Object.entries(words).flatMap(([wish, list]) => list.map((word) => [word, wish] as const));

  it.each(table)('takes %s, in any letter case, as %s', (word, wish) => {
    const capital = word.charAt(0) + word.slice(1).toLowerCase();
    expect([word, word.toLowerCase(), capital].map(optOutWishOf)).toEqual([wish, wish, wish]);
  });

  it.each([' STOP ', 'Stop.', 'STOP!!!', '"stop"', '\n\tSTOP\r\n', '\u00a0stop\u200b', '¡Stop!', '(STOP)', 'stop…'])(
    'sees the word in %j',
    (text) => {
      expect(optOutWishOf(text)).toBe('stop');
    },
  );

  it.each([
    '',
    '   ',
    '...',
    'please stop',
    'STOP it',
    'stop, please',
    'stopped',
    'S T O P',
    'ST-OP',
    'unstopp',
    'YESS',
    'STÖP',
  ])('takes %j as an ordinary text', (text) => {
    expect(optOutWishOf(text)).toBeUndefined();
  });

  it('does not look for a word in a long text', () => {
    expect(optOutWishOf(`${'.'.repeat(2_000)}STOP`)).toBeUndefined();
  });

  it('never takes a text with two words for one', () => {
    const word = fc.constantFrom(...table.map(([one]) => one));
    fc.assert(fc.property(word, word, (one, other) => optOutWishOf(`${one} ${other}`) === undefined));
  });
});
