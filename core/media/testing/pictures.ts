import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A picture with some detail: noise does not compress, so its size grows with its pixels. */
export function noisyPicture(width: number, height: number): Sharp {
  return sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });
}

/** A photo as a phone takes it: lying on its side, and with its location in the metadata. */
export async function photoWithPlace(width = 640, height = 480): Promise<Buffer> {
  return noisyPicture(width, height)
    .withExif({
      IFD0: { Make: 'Example', Model: 'Phone', Copyright: 'A person' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 42/1 46/1', GPSLongitudeRef: 'W', GPSLongitude: '74/1 0/1 22/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** A PNG of one color and any size: its pixels are never in memory. */
export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One bit of gray for each pixel.
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 });
  return Buffer.concat([PNG, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const framed = Buffer.alloc(8 + body.length);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), 4 + body.length);
  return framed;
}

/** An animated picture of gray frames. */
export async function animatedGif(frames: number, side = 40): Promise<Buffer> {
  const pages = Array.from({ length: frames }, (_none, index) =>
    Buffer.alloc(side * side * 3, Math.floor((255 * index) / frames)),
  );
  return sharp(Buffer.concat(pages), { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .gif({ delay: 100 })
    .toBuffer();
}

export const SCRIPT_SVG = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);
export const SCRIPT_PAGE = Buffer.from('<!doctype html><html><body><script>alert(1)</script></body></html>');

/** A GIF that a browser would also run as a script, if it were served as a script. */
export const SCRIPT_GIF = Buffer.concat([
  Buffer.from('GIF89a/*', 'latin1'),
  Buffer.alloc(64),
  Buffer.from('*/=1;alert(1)//', 'latin1'),
]);

/** Yields bytes piece by piece, as they come from a network. */
export async function* inPieces(bytes: Buffer, size = 1_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/**
 * A sound progressive JPEG of 16 x 16 gray pixels, with `scans` further scans that change nothing
 * (ITU-T T.81, annexes B and G).
 */
export function jpegWithScans(scans: number): Buffer {
  const segment = (marker: number, content: readonly number[]) => [0xff, marker, 0, content.length + 2, ...content];
  // One code of one bit, for the value 0.
  const codes = [1, ...Array.from({ length: 15 }, () => 0), 0];
  // Four blocks of that code.
  const scan = (first: number, last: number) => [...segment(0xda, [1, 1, 0, first, last, 0]), 0x0f];
  return Buffer.from([
    0xff,
    0xd8,
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    ...segment(0xc2, [8, 0, 16, 0, 16, 1, 1, 0x11, 0]),
    ...segment(0xc4, [0x00, ...codes]),
    ...segment(0xc4, [0x10, ...codes]),
    ...scan(0, 0),
    ...Array.from({ length: scans }, () => scan(1, 63)).flat(),
    0xff,
    0xd9,
  ]);
}
