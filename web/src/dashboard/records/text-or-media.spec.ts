import { textOrMedia } from './text-or-media.js';

describe('A message in one line', () => {
  it.each([
    ['Look', ['image/png'], 'Look'],
    ['', ['image/png'], 'Picture'],
    ['', ['image/png', null], '2 files'],
    ['', [], 'Removed'],
  ])('is, of the text "%s" and the files %j, "%s"', (text, types, line) => {
    expect(textOrMedia(text, types)).toBe(line);
  });
});
