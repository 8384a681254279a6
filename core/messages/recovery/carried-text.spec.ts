import { compareCarriedText } from './carried-text.js';

describe('compareCarriedText', () => {
  it.each(['Hello', '', 'Grüße 😀', ' spaced '])('calls the same text equal: %j', (text) => {
    expect(compareCarriedText(text, text)).toBe('equal');
  });

  it.each([
    ['Hello', 'Sent from your Twilio trial account - Hello'],
    ['“Hi” – it’s 5 o‘clock…', '"Hi" - it\'s 5 o\'clock...'],
    ['“Hi”', 'Sent from your Twilio trial account - "Hi"'],
    ['a\u00a0b\u2009c', 'a b c'],
    ['one\r\ntwo', 'one\ntwo'],
    ['Hello ', 'Hello'],
    ['zero\u200bwidth', 'zerowidth'],
    ['cafe\u0301', 'caf\u00e9'],
    ['Ｈｅｌｌｏ，', 'Hello,'],
    // A message with files may have no text.
    ['', 'Sent from your Twilio trial account - '],
  ])('calls %j as %j altered', (sent, carried) => {
    expect(compareCarriedText(sent, carried)).toBe('altered');
  });

  it.each([
    ['Hello', 'Hello there'],
    ['Hello', 'hello'],
    ['Your code is 123456', 'Your code is 123457'],
    ['Hello', 'Sent from your trial account - Hello'],
    ['resume', 'résumé'],
    ['\u200b', ' '],
  ])('calls %j and %j different', (sent, carried) => {
    expect(compareCarriedText(sent, carried)).toBe('different');
  });
});
