import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type FileName, MediaFilesUnavailable } from '../../media/media-files.js';
import { DiskMediaFiles } from './disk-media-files.js';

const bytes = Buffer.from('What a person has sent.');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const name: FileName = { accountId: randomUUID(), sha256, kind: 'original' };

describe('A store of files on a disk', () => {
  let folder: string;
  let files: DiskMediaFiles;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'disk-'));
    files = new DiskMediaFiles(folder);
  });

  afterEach(() => rm(folder, { recursive: true }));

  const received = async () => {
    await mkdir(files.incoming, { recursive: true });
    const path = join(files.incoming, randomUUID());
    await writeFile(path, bytes, { mode: 0o600 });
    return { path, bytes: bytes.length, sha256 };
  };

  const read = async (of: FileName) => {
    const stream = await files.open(of);
    return stream && buffer(stream);
  };

  it('has a file under its account and digest, which no other user of the machine can read', async () => {
    await files.put(name, await received());
    expect(await read(name)).toEqual(bytes);
    const path = join(folder, 'files', name.accountId, sha256.slice(0, 2), sha256);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(files.incoming)).toEqual([]);
  });

  it('has it once, however often it is put there', async () => {
    await files.put(name, await received());
    await files.put(name, await received());
    expect(await read(name)).toEqual(bytes);
    expect(await readdir(join(folder, 'files', name.accountId, sha256.slice(0, 2)))).toEqual([sha256]);
  });

  it('has none of another account, and thumbnails apart', async () => {
    await files.put(name, await received());
    expect(await read({ ...name, accountId: randomUUID() })).toBeUndefined();
    expect(await read({ ...name, kind: 'thumbnail' })).toBeUndefined();
  });

  it('deletes a file, and does nothing for one that it does not have', async () => {
    await files.put(name, await received());
    await files.delete(name);
    await files.delete(name);
    expect(await read(name)).toBeUndefined();
  });

  it('checks that its folder can be written', async () => {
    await files.check();
    expect(await readdir(files.incoming)).toEqual([]);
    await rm(files.incoming, { recursive: true });
    await writeFile(files.incoming, 'in the place of the folder');
    await expect(files.check()).rejects.toThrow();
  });

  it('reports a folder that takes nothing, and has no part of the file then', async () => {
    await writeFile(join(folder, 'files'), 'in the place of the folder');
    await expect(files.put(name, await received())).rejects.toThrow(MediaFilesUnavailable);
  });
});
