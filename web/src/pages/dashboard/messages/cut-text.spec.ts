import { cutText } from './cut-text.js';

const thirty = '123456789012345678901234567890';
const family = '👨‍👩‍👧‍👦';

describe('a message in a table', () => {
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
