import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { fitPicture, inspectPicture } from './fit-picture.js';
import {
  animatedGif,
  jpegWithScans,
  noisyPicture,
  photoWithPlace,
  pngOf,
  SCRIPT_PAGE,
  SCRIPT_SVG,
} from './testing/pictures.js';

// A busy machine takes seconds for a large picture.
jest.setTimeout(60_000);

describe('A picture of a message', () => {
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const flat = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: '#888' } });
  const saved = async (bytes: Buffer) => {
    const path = join(folder, String((count += 1)));
    await writeFile(path, bytes);
    return path;
  };
  const fitted = async (bytes: Buffer, bytesMax: number) => fitPicture('account', await saved(bytes), bytesMax);

  describe('is inspected', () => {
    it.each([
      ['JPEG', () => photoWithPlace()],
      ['PNG', () => noisyPicture(20, 20).png().toBuffer()],
      ['GIF', () => noisyPicture(20, 20).gif().toBuffer()],
      ['WebP', () => noisyPicture(20, 20).webp().toBuffer()],
    ])('and stands still: %s', async (_type, make) => {
      expect(await inspectPicture('account', await saved(await make()))).toEqual({ isAnimated: false });
    });

    it('and moves', async () => {
      expect(await inspectPicture('account', await saved(await animatedGif(3)))).toEqual({ isAnimated: true });
    });

    it.each([
      ['a page', () => SCRIPT_PAGE],
      ['an SVG', () => SCRIPT_SVG],
      ['zeros', () => Buffer.alloc(1_000)],
      ['more pixels than are decoded', () => pngOf(40_000, 25_000)],
      ['half a JPEG header', () => Buffer.from('ffd8ffe000104a46', 'hex')],
      ['one that comes in thousands of passes', () => jpegWithScans(20_000)],
      [
        'one that comes in passes and takes too much memory',
        async () => flat(4_900).jpeg({ progressive: true }).toBuffer(),
      ],
    ])('and is none: %s', async (_what, make) => {
      const path = await saved(await make());
      expect(await inspectPicture('account', path)).toBeUndefined();
      expect(await fitPicture('account', path, 1_000_000)).toBeUndefined();
    });
  });

  describe('is made to fit', () => {
    it.each([1_000_000, 600_000, 100_000, 20_000])('into %d bytes', async (bytesMax) => {
      const jpeg = await fitted(await noisyPicture(1_600, 1_200).jpeg({ quality: 95 }).toBuffer(), bytesMax);
      expect(jpeg?.length).toBeLessThanOrEqual(bytesMax);
      const { format, width, height } = await sharp(jpeg).metadata();
      expect(format).toBe('jpeg');
      expect(width / height).toBeCloseTo(4 / 3, 1);
    });

    it('keeping its sides when it is small enough', async () => {
      const jpeg = await fitted(await noisyPicture(300, 200).png().toBuffer(), 1_000_000);
      expect(await sharp(jpeg).metadata()).toMatchObject({ width: 300, height: 200 });
    });

    it('upright, and without the place where it was taken', async () => {
      const lying = await photoWithPlace(640, 480);
      const jpeg = await fitted(lying, 1_000_000);
      const { width, height, exif, orientation } = await sharp(jpeg).metadata();
      expect({ width, height, exif, orientation }).toEqual({ width: 480, height: 640 });
    });

    it('on white where it is transparent', async () => {
      const empty = { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
      const jpeg = await fitted(await sharp({ create: empty }).png().toBuffer(), 10_000);
      const { channels } = await sharp(jpeg).stats();
      expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);
    });

    it('not at all when nothing could be seen on it', async () => {
      const noise = await noisyPicture(1_600, 1_200).jpeg({ quality: 95 }).toBuffer();
      expect(await fitted(noise, 500)).toBeUndefined();
    });

    it('not at all when it cannot be decoded', async () => {
      expect(await fitted(SCRIPT_SVG, 1_000_000)).toBeUndefined();
    });
  });
});
