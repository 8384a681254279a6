import { mediaInWords } from './media.js';

const of = (...types: (string | null)[]) => types.map((type) => ({ type }));

describe('What a message has besides its text', () => {
  it.each([
    [of(), undefined],
    [of('image/png'), 'Picture'],
    [of('image/png', 'image/jpeg', 'image/gif'), '3 pictures'],
    [of('image/png', 'application/pdf'), '2 files'],
    [of('application/pdf'), 'File'],
    [of(null), 'File'],
    [of('video/mp4'), 'Video'],
    [of('audio/amr', 'audio/mpeg'), '2 recordings'],
    [of('text/vcard'), 'Contact'],
  ])('is named in words: %j', (media, words) => {
    expect(mediaInWords(media)).toBe(words);
  });
});
