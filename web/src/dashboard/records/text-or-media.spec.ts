import { filesBeside, textOrMedia } from './text-or-media.js';

describe('textOrMedia', () => {
  it.each([
    ['Hi', ['image/png'], true, 'Hi'],
    ['', ['image/png'], true, 'Picture'],
    ['', [], true, 'Removed'],
    ['', [], false, 'Empty message'],
  ])('shows %j with files %j, erased %s, as %j', (text, types, isRemoved, shown) => {
    expect(textOrMedia(text, types, isRemoved)).toBe(shown);
  });
});

describe('filesBeside', () => {
  it.each([
    ['Hi', [], undefined],
    ['', ['image/png'], undefined],
    ['Hi', ['image/png'], 'With a picture'],
    ['Hi', ['application/pdf'], 'With a file'],
    ['Hi', [null], 'With a file'],
    ['Hi', ['image/png', 'image/jpeg'], 'With 2 files'],
  ])('of the text %j with %j is %j', (text, types, words) => {
    expect(filesBeside(text, types)).toBe(words);
  });
});
