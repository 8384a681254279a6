import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { MediaBucket } from '../../../platform/config/config.js';

const NAME = 'pennytext-media';

/** An S3-compatible store of its own for a suite, which can be made to fail. */
export interface BucketServer {
  readonly bucket: MediaBucket;
  /** Settings as environment variables. */
  readonly variables: Record<string, string>;
  /** Methods and paths of the requests so far. */
  readonly requests: readonly string[];
  /** Answers the next requests of a method with an error, or breaks their connection. */
  fail(method: string, how: 503 | 403 | 'break', times: number): void;
  close(): Promise<void>;
}

export async function startBucketServer(): Promise<BucketServer> {
  const directory = await mkdtemp(join(tmpdir(), 'bucket-'));
  const store = new S3rver({ directory, silent: true, configureBuckets: [{ name: NAME, configs: [] }] });
  await store.configureBuckets();
  const answer = store.callback();
  const requests: string[] = [];
  let failure = { method: '', how: 503 as 503 | 403 | 'break', times: 0 };
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (request.method !== failure.method || failure.times === 0) return answer(request, response);
    failure.times -= 1;
    if (failure.how === 'break') return request.socket.destroy();
    request.resume();
    const code = failure.how === 503 ? 'SlowDown' : 'AccessDenied';
    response.writeHead(failure.how, { 'content-type': 'application/xml', connection: 'close' });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Please wait.</Message></Error>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  // The only key that s3rver knows.
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  return {
    bucket: { name: NAME, region: 'us-east-1', endpoint, pathStyle: true, credentials },
    variables: {
      MEDIA_S3_BUCKET: NAME,
      MEDIA_S3_ENDPOINT: endpoint,
      MEDIA_S3_PATH_STYLE: 'true',
      MEDIA_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      MEDIA_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    requests,
    fail: (method, how, times) => {
      failure = { method, how, times };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}
