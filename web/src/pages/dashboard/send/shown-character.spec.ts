import { shownCharacter } from './shown-character.js';

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
