import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Metrics } from '../platform/telemetry/metrics.js';
import { mediaTypeOf } from './media-type.js';
import { Thumbnails } from './thumbnails.js';
import {
  animatedGif,
  jpegWithScans,
  noisyPicture,
  photoWithPlace,
  pngOf,
  SCRIPT_GIF,
  SCRIPT_SVG,
} from './testing/pictures.js';

// A busy machine takes seconds for a large picture.
jest.setTimeout(60_000);

describe('A thumbnail', () => {
  let folder: string;
  let thumbnails: Thumbnails;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thumbnails-'));
    thumbnails = new Thumbnails(folder, new Metrics('worker'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** Returns the bytes of a picture's thumbnail; undefined without a thumbnail. */
  const thumbnailOf = async (picture: Buffer, type?: string): Promise<Buffer | undefined> => {
    const path = join(folder, 'picture');
    await writeFile(path, picture);
    const made = await thumbnails.of('account', path, type ?? (await mediaTypeOf(picture)));
    return made && readFile(made.path);
  };

  it('is a small WebP of the same proportions', async () => {
    const small = await thumbnailOf(await noisyPicture(2_000, 1_000).jpeg().toBuffer());
    expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 480, height: 240 });
    expect(await sharp(await thumbnailOf(pngOf(20, 10))).metadata()).toMatchObject({ width: 20, height: 10 });
  });

  it('has nothing of what a phone writes beside the pixels, and stands upright', async () => {
    const photo = await photoWithPlace(640, 480);
    expect((await sharp(photo).metadata()).exif?.includes('Example')).toBe(true);
    const small = await thumbnailOf(photo);
    const { width, height, exif, xmp, iptc, orientation } = await sharp(small).metadata();
    expect({ width, height, exif, xmp, iptc, orientation }).toEqual({ width: 360, height: 480 });
    expect(small?.includes('Example')).toBe(false);
  });

  it('shows the first picture of an animation', async () => {
    const small = await thumbnailOf(await animatedGif(5));
    expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 40, height: 40 });
  });

  it.each([
    ['a picture that unpacks to gigabytes', () => pngOf(20_000, 20_000), undefined],
    ['a drawing with a script', () => SCRIPT_SVG, 'image/png'],
    ['a script that begins like a picture', () => SCRIPT_GIF, undefined],
    ['half a picture', async () => (await noisyPicture(300, 300).png().toBuffer()).subarray(0, 20_000), undefined],
    ['a HEIC', () => Buffer.from('irrelevant'), 'image/heic'],
  ])('is not made of %s', async (_what, picture, type) => {
    expect(await thumbnailOf(await picture(), type)).toBeUndefined();
    expect(await readdir(folder)).toEqual(['picture']);
  });

  it('is not made of a sound picture whose pixels are too many, or too deep, by its header', async () => {
    const flat = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 4, background: '#fff' } });
    const fast = { compressionLevel: 1 };
    const deep = (side: number) => flat(side, side).toColourspace('rgb16').png(fast).toBuffer();
    expect(await thumbnailOf(await flat(3_000, 3_000).png(fast).toBuffer())).toBeDefined();
    expect(await thumbnailOf(await flat(6_500, 5_500).png(fast).toBuffer())).toBeUndefined();
    expect(await thumbnailOf(await deep(1_000))).toBeDefined();
    expect(await thumbnailOf(await deep(4_500))).toBeUndefined();
    expect(await thumbnailOf(await flat(4_900, 4_900).jpeg({ progressive: true }).toBuffer())).toBeUndefined();
    expect(await thumbnailOf(await flat(6_900, 6_900).jpeg().toBuffer())).toBeDefined();
    expect(await thumbnailOf(await flat(6_500, 6_500).gif().toBuffer())).toBeUndefined();
  });

  it('is not made of a small picture that takes long, because its many scans go through all of it', async () => {
    expect(await thumbnailOf(jpegWithScans(10))).toBeDefined();
    expect(await thumbnailOf(jpegWithScans(40))).toBeUndefined();
    expect(await thumbnailOf(jpegWithScans(20_000))).toBeUndefined();
  });

  it('is made after a picture that cannot be decoded', async () => {
    const [broken, sound] = await Promise.all([
      thumbnails.of('account', join(folder, 'none'), 'image/png'),
      thumbnailOf(pngOf(9, 9)),
    ]);
    expect(broken).toBeUndefined();
    expect(sound).toBeDefined();
  });
});
