import { replacementText } from './replacement-text.js';

describe('replacementText', () => {
  it.each([
    ['Doors open at 8 – 10 pm', 'Replace – by -'],
    ['“Doors” open…', 'Replace “ by ", ” by ", … by ...'],
    ['A\u00a0no-break space', 'Replace U+00A0 by a space'],
    ['‘a’ – “b”', "Replace ‘ by ', ’ by ', – by -, others"],
    ['Zero\u200bwidth', 'Use plain characters'],
  ])('names what becomes plain in %j', (message, text) => expect(replacementText(message)).toBe(text));

  it('names no character that stays', () => expect(replacementText('🙂 – –')).toBe('Replace – by -'));
});
