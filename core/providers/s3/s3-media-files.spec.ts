import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type FileName, MediaFilesUnavailable } from '../../media/media-files.js';
import { S3MediaFiles } from './s3-media-files.js';
import { startBucketServer, type BucketServer } from './testing/bucket-server.js';

const bytes = randomBytes(300_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');

describe('A store of files in a bucket', () => {
  let server: BucketServer;
  let files: S3MediaFiles;
  let folder: string;
  let file: { path: string; bytes: number; sha256: string };
  let name: FileName;

  beforeAll(async () => {
    server = await startBucketServer();
    files = new S3MediaFiles(server.bucket);
    folder = await mkdtemp(join(tmpdir(), 's3-'));
    file = { path: join(folder, 'file'), bytes: bytes.length, sha256 };
    await writeFile(file.path, bytes);
  });

  beforeEach(() => {
    name = { accountId: randomUUID(), sha256, kind: 'original' };
  });

  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true });
  });

  const read = async (of: FileName) => {
    const stream = await files.open(of);
    return stream && buffer(stream);
  };

  it('has a file under its account and digest', async () => {
    await files.put(name, file);
    expect((await read(name))?.equals(bytes)).toBe(true);
    const key = `${name.accountId}/${sha256.slice(0, 2)}/${sha256}`;
    expect(server.requests).toContain(`PUT /${server.bucket.name}/${key}`);
    expect(await read({ ...name, kind: 'thumbnail' })).toBeUndefined();
  });

  it('checks that the bucket is there', async () => {
    await files.check();
    const none = new S3MediaFiles({ ...server.bucket, name: 'no-such-bucket' });
    await expect(none.check()).rejects.toThrow(MediaFilesUnavailable);
  });

  it('deletes a file, and does nothing for one that it does not have', async () => {
    await files.put(name, file);
    await files.delete(name);
    await files.delete(name);
    expect(await read(name)).toBeUndefined();
  });

  it.each([503, 'break'] as const)('puts a file again after a passing failure: %s', async (how) => {
    server.fail('PUT', how, 2);
    await files.put(name, file);
    expect((await read(name))?.equals(bytes)).toBe(true);
  });

  it('reports a store that stays overloaded, and has no part of the file then', async () => {
    server.fail('PUT', 503, 10);
    await expect(files.put(name, file)).rejects.toThrow(MediaFilesUnavailable);
    server.fail('PUT', 503, 0);
    expect(await read(name)).toBeUndefined();
  });

  it('reports a key that may not write at once', async () => {
    server.fail('PUT', 403, 10);
    const before = server.requests.length;
    await expect(files.put(name, file)).rejects.toThrow(/AccessDenied/);
    expect(server.requests.length - before).toBe(1);
    server.fail('PUT', 403, 0);
  });
});
