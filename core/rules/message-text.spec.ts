import fc from 'fast-check';
import { isSendableText, keepableText, optOutWishOf } from './message-text.js';

describe('isSendableText', () => {
  it.each(['Hello', '', 'line\r\nbreak', 'emoji 👩‍👩‍👧 and flag 🇨🇦', '\u0001\ufffe\uffff'])('accepts %j', (text) => {
    expect(isSendableText(text)).toBe(true);
  });

  it.each(['\0', 'a\0b', '\ud83d', 'a\ude00', '\ude00\ud83d', '😀\ud83d'])('rejects %j', (text) => {
    expect(isSendableText(text)).toBe(false);
  });

  it('accepts exactly the texts without NUL that UTF-8 encodes without loss', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const text = String.fromCharCode(...units);
        const carried = Buffer.from(text, 'utf8').toString('utf8') === text;
        expect(isSendableText(text)).toBe(carried && !units.includes(0));
      }),
    );
  });
});

describe('keepableText', () => {
  it.each([
    ['', ''],
    ['Hello', 'Hello'],
    ['a\0b', 'a\ufffdb'],
    ['\ud83d', '\ufffd'],
    ['\udc00x', '\ufffdx'],
    ['👩‍👩‍👧 שלום مرحبا \u202e', '👩‍👩‍👧 שלום مرحبا \u202e'],
  ])('turns %j into %j', (text, expected) => {
    expect(keepableText(text)).toBe(expected);
  });

  it('makes every text sendable and does not change sendable texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const kept = keepableText(text);
        expect(isSendableText(kept)).toBe(true);
        expect(kept).toHaveLength(text.length);
        if (isSendableText(text)) expect(kept).toBe(text);
      }),
    );
  });
});

const words = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const;

describe('optOutWishOf', () => {
  const table = Object.entries(words).flatMap(([wish, list]) => list.map((word) => [word, wish] as const));

  it.each(table)('recognizes %s, in any letter case, as %s', (word, wish) => {
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
  ])('treats %j as an ordinary text', (text) => {
    expect(optOutWishOf(text)).toBeUndefined();
  });

  it('finds no keyword in a long text', () => {
    expect(optOutWishOf(`${'.'.repeat(2_000)}STOP`)).toBeUndefined();
  });

  it('finds no keyword in a text with two words', () => {
    const word = fc.constantFrom(...table.map(([one]) => one));
    fc.assert(fc.property(word, word, (one, other) => optOutWishOf(`${one} ${other}`) === undefined));
  });
});
