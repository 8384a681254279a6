import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaFilesUnavailable } from './media-files.js';
import { onDisk, receiveFile, removeLeftOvers } from './received-file.js';
import { inPieces, pngOf } from './testing/pictures.js';

describe('A file that arrives', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'received-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('is written byte by byte, with its digest, size and type', async () => {
    const bytes = Buffer.concat([pngOf(100, 100), randomBytes(50_000)]);
    const reception = await receiveFile(inPieces(bytes), { folder, bytesMax: bytes.length });
    if (reception.kind !== 'received') throw new Error('It was refused');
    const { file } = reception;
    expect(file).toMatchObject({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      type: 'image/png',
    });
    expect((await readFile(file.path)).equals(bytes)).toBe(true);
    await file.remove();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is refused with its first byte too many, and nothing more is read', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1_000;
        yield Buffer.alloc(1_000);
      }
    }
    expect(await receiveFile(endless(), { folder, bytesMax: 9_999 })).toEqual({ kind: 'too_large' });
    expect(read).toBe(10_000);
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves nothing when its stream breaks', async () => {
    async function* broken() {
      yield Buffer.alloc(500);
      throw new Error('The connection broke');
    }
    await expect(receiveFile(broken(), { folder, bytesMax: 10_000 })).rejects.toThrow('The connection broke');
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports a full disk as a store without room', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    await expect(onDisk(() => Promise.reject(full))).rejects.toThrow(MediaFilesUnavailable);
    const other = new TypeError('A mistake');
    await expect(onDisk(() => Promise.reject(other))).rejects.toBe(other);
  });

  it.each([
    ['a small disk', 1_000_000, 50_000],
    ['a large disk', 1_000_000_000_000, 1_073_741_824],
  ])('is not received when %s would be nearly full with it', async (_disk, bytes, keptFree) => {
    let read = 0;
    async function* content() {
      read += 1;
      yield Buffer.alloc(10_000);
    }
    const withFree = (free: number) =>
      receiveFile(content(), {
        folder,
        bytesMax: 10_000,
        spaceOf: () => Promise.resolve({ blocks: bytes, bavail: free, bsize: 1 }),
      });
    await expect(withFree(keptFree + 9_999)).rejects.toThrow(MediaFilesUnavailable);
    expect([read, await readdir(folder)]).toEqual([0, []]);
    expect(await withFree(keptFree + 10_000)).toMatchObject({ kind: 'received' });
  });

  it('is removed a quarter of an hour after its process has died', async () => {
    const [old, young] = [join(folder, 'old'), join(folder, 'young')];
    await writeFile(old, 'x');
    await writeFile(young, 'x');
    await utimes(old, 0, Date.now() / 1_000 - 901);
    expect(await removeLeftOvers(folder)).toBe(1);
    expect(await readdir(folder)).toEqual(['young']);
    expect(await removeLeftOvers(join(folder, 'none'))).toBe(0);
  });
});
