import fc from 'fast-check';
import { isSendableText, keepableText } from './message-text.js';

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
