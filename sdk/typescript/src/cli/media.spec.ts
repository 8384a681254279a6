import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Pennytext } from '../client.js';
import { parse } from './command.js';
import { media } from './media.js';
import { Terminal } from './terminal.js';

const FILE = 'GIF89a';

describe('media', () => {
  let folder: string;
  let printed: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pennytext-media-'));
    printed = '';
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const headers = { 'content-type': 'image/gif', 'content-length': '6', 'content-disposition': 'filename="ME1.gif"' };
  const run = (argv: string[], body: BodyInit = FILE, type = 'image/gif') => {
    const stdout = new PassThrough().on('data', (chunk) => (printed += String(chunk)));
    const streams = { stdin: new PassThrough(), stdout, stderr: new PassThrough() };
    const { args, values } = parse(media, argv);
    const fetch = () => Promise.resolve(new Response(body, { headers: { ...headers, 'content-type': type } }));
    const client = () => new Pennytext({ apiKey: 'key', baseUrl: 'https://api.example', fetch });
    const terminal = new Terminal(streams, true);
    return media.run({ terminal, env: {}, signal: new AbortController().signal, client }, args, values);
  };
  const path = () => join(folder, 'picture.gif');

  it('saves the file and prints what it is', async () => {
    await run(['download', 'ME1', '--out', path()]);
    expect(readFileSync(path(), 'utf8')).toBe(FILE);
    expect(JSON.parse(printed)).toEqual({ media_id: 'ME1', file: path(), type: 'image/gif', bytes: 6, sha256: '' });
  });

  it('replaces no file', async () => {
    writeFileSync(path(), 'mine');
    await expect(run(['download', 'ME1', '--out', path()])).rejects.toThrow('exists already');
    expect(readFileSync(path(), 'utf8')).toBe('mine');
  });

  it('leaves no part of a file', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('GIF'));
        controller.error(new TypeError('terminated'));
      },
    });
    await expect(run(['download', 'ME1', '--out', path()], broken)).rejects.toMatchObject({
      code: 'connection_failed',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('uploads a file, and names its id', async () => {
    writeFileSync(path(), FILE);
    const answer = { media_id: 'ME1', type: 'image/gif', bytes: 6, expires_at: 'later' };
    await run(['upload', path()], JSON.stringify(answer), 'application/json');
    expect(JSON.parse(printed)).toEqual(answer);
    await expect(run(['upload', join(folder, 'none.gif')])).rejects.toThrow('none.gif cannot be read');
  });

  it('knows no other action', async () => {
    await expect(run(['show', 'ME1'])).rejects.toThrow('Usage: pennytext media download ID');
  });
});
