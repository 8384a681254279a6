import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { MediaDownload, type HeadersFor } from './media-download.js';
import { startFileServer, type FileServer } from './testing/file-server.js';

const bytes = randomBytes(100_000);

describe('A download', () => {
  let carrier: FileServer;
  let storage: FileServer;
  let stranger: FileServer;
  let download: MediaDownload;

  beforeAll(async () => {
    [carrier, storage, stranger] = await Promise.all([startFileServer(), startFileServer(), startFileServer()]);
    download = new MediaDownload({ allowPrivate: true, timeoutMs: 1_000 });
  });

  afterAll(async () => {
    await download?.close();
    await Promise.all([carrier, storage, stranger].map((server) => server?.close()));
  });

  /** The carrier's API needs credentials, its storage none; nothing else is fetched. */
  const headersFor: HeadersFor = ({ origin }) =>
    origin === carrier.origin ? { authorization: 'Basic b3Vycw==' } : origin === storage.origin ? {} : undefined;
  const fetchAll = (url: string) => download.fetch(url, headersFor, (content) => buffer(Readable.from(content)));
  const redirect = (to: string) =>
    carrier.serve(`/to?${to}`, (response) => response.writeHead(307, { location: to }).end());

  it('passes on the very bytes, asked for with the credentials of the server', async () => {
    const answer = await fetchAll(carrier.serve('/file', bytes));
    expect(answer.kind === 'done' && answer.result.equals(bytes)).toBe(true);
    expect(carrier.requests.at(-1)).toEqual({ path: '/file', authorization: 'Basic b3Vycw==' });
  });

  it('follows a redirect to the storage of the carrier, without the credentials', async () => {
    const answer = await fetchAll(redirect(storage.serve('/stored', bytes)));
    expect(answer.kind === 'done' && answer.result.equals(bytes)).toBe(true);
    expect(storage.requests.at(-1)).toEqual({ path: '/stored', authorization: undefined });
  });

  it('follows a redirect within the server', async () => {
    carrier.serve('/file', bytes);
    expect((await fetchAll(redirect('/file'))).kind).toBe('done');
  });

  it.each([
    ['a redirect to another host', () => redirect(stranger.serve('/trap', bytes))],
    ['another host', () => stranger.serve('/trap', bytes)],
    ['a redirect without a target', () => carrier.serve('/none', (response) => response.writeHead(302).end())],
    ['a port of another service', () => redirect('http://127.0.0.1:6379/')],
    ['another protocol', () => redirect('file:///etc/passwd')],
    ['no URL', () => 'none'],
  ])('does not follow %s', async (_what, url) => {
    expect((await fetchAll(url())).kind).toBe('foreign');
    expect(stranger.requests).toEqual([]);
  });

  it('tells what is no URL from a redirect that leads to none', async () => {
    const url = carrier.serve('/none', (response) => response.writeHead(302).end());
    expect(await fetchAll('notaurl')).toEqual({ kind: 'foreign', reason: 'This is no URL.' });
    expect(await fetchAll(url)).toEqual({ kind: 'foreign', reason: 'This leads to no URL.' });
  });

  it('gives up on a circle of redirects', async () => {
    carrier.serve('/circle', (response) => response.writeHead(302, { location: '/circle' }).end());
    expect((await fetchAll(`${carrier.origin}/circle`)).kind).toBe('unavailable');
    expect(carrier.requests.filter(({ path }) => path === '/circle')).toHaveLength(4);
  });

  it.each([401, 403, 404, 410])('is refused by HTTP %d', async (status) => {
    const url = carrier.serve('/refused', (response) => response.writeHead(status).end('no'));
    expect(await fetchAll(url)).toEqual({ kind: 'refused', status });
  });

  it.each([204, 206, 408, 429, 500, 503])('may succeed later after HTTP %d', async (status) => {
    const url = carrier.serve('/later', (response) => response.writeHead(status).end());
    expect(await fetchAll(url)).toMatchObject({
      kind: 'unavailable',
      shown: `The server answered ${status}.`,
    });
  });

  it.each([
    [
      'ends before its length',
      (response) => {
        response.writeHead(200, { 'content-length': 200 });
        response.write('half');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ['stops coming', (response) => response.writeHead(200, { 'content-length': 200 }).write('half')],
    ['does not begin', () => undefined],
    ['is compressed', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
  ] satisfies [string, Parameters<FileServer['serve']>[1]][])(
    'may succeed later when the content %s',
    async (_what, answer) => {
      expect((await fetchAll(carrier.serve('/broken', answer))).kind).toBe('unavailable');
    },
  );

  it('throws what goes wrong with the content on our side', async () => {
    const url = carrier.serve('/file', bytes);
    const full = new Error('The disk is full');
    await expect(download.fetch(url, headersFor, () => Promise.reject(full))).rejects.toBe(full);
  });

  it('reaches no private address unless that is allowed', async () => {
    const strict = new MediaDownload({ allowPrivate: false, timeoutMs: 1_000 });
    const url = carrier.serve('/file', bytes);
    const before = carrier.requests.length;
    expect((await strict.fetch(url, headersFor, async () => 'read')).kind).toBe('foreign');
    expect(carrier.requests).toHaveLength(before);
    await strict.close();
  });
});
