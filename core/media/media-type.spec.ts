import { extensionOf, mediaTypeOf, UNKNOWN_TYPE } from './media-type.js';
import { animatedGif, noisyPicture, pngOf, SCRIPT_GIF, SCRIPT_PAGE, SCRIPT_SVG } from './testing/pictures.js';

const heic = Buffer.concat([Buffer.from('0000001c', 'hex'), Buffer.from('ftypheic'), Buffer.alloc(16)]);
const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(60)]);

describe('The type of a file', () => {
  it.each([
    ['a PNG', () => pngOf(9, 9), 'image/png', 'png'],
    ['a JPEG', () => noisyPicture(9, 9).jpeg().toBuffer(), 'image/jpeg', 'jpg'],
    ['a WebP', () => noisyPicture(9, 9).webp().toBuffer(), 'image/webp', 'webp'],
    ['an animated GIF', () => animatedGif(3), 'image/gif', 'gif'],
    ['a HEIC', () => heic, 'image/heic', 'heic'],
    ['a contact', () => Buffer.from('BEGIN:VCARD\r\nVERSION:4.0\r\nEND:VCARD\r\n'), 'text/vcard', 'vcf'],
    ['an SVG', () => SCRIPT_SVG, UNKNOWN_TYPE, 'bin'],
    ['a page', () => SCRIPT_PAGE, UNKNOWN_TYPE, 'bin'],
    ['a GIF with a script in it', () => SCRIPT_GIF, 'image/gif', 'gif'],
    ['an archive', () => zip, UNKNOWN_TYPE, 'bin'],
    ['zeros', () => Buffer.alloc(4_100), UNKNOWN_TYPE, 'bin'],
    ['nothing', () => Buffer.alloc(0), UNKNOWN_TYPE, 'bin'],
  ])('is read from the bytes of %s', async (_what, bytes, type, extension) => {
    const found = await mediaTypeOf(await bytes());
    expect(found).toBe(type);
    expect(extensionOf(found)).toBe(extension);
  });
});
