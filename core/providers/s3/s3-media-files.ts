import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  type FileName,
  type LocalFile,
  MediaFiles,
  MediaFilesUnavailable,
  storedPath,
} from '../../media/media-files.js';
import type { MediaBucket } from '../../platform/config/config.js';

const ATTEMPTS_MAX = 4;
const FIRST_WAIT_MS = 200;
const CONNECT_TIMEOUT_MS = 5_000;
/** Timeout of a call, and of a silence within a call. */
const ANSWER_TIMEOUT_MS = 20_000;

const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // The thrown error has all details.
}

/** Files in a bucket of Amazon S3, or of a store that speaks its protocol. */
export class S3MediaFiles extends MediaFiles {
  readonly incoming = join(tmpdir(), 'pennytext-media');
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor({ name, region, endpoint, pathStyle, credentials }: MediaBucket) {
    super();
    this.bucket = name;
    this.client = new S3Client({
      region,
      ...(endpoint !== undefined && { endpoint }),
      forcePathStyle: pathStyle,
      // Otherwise the machine's credentials: environment, file, or instance.
      ...(credentials && { credentials }),
      // The SDK cannot send a stream a second time, so calls are repeated here.
      maxAttempts: 1,
      // Failures are thrown; the SDK would also write a line to the console that is not JSON.
      logger: quiet,
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: ANSWER_TIMEOUT_MS },
      // Other stores do not know the checksums that Amazon has added to the protocol since.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async check(): Promise<void> {
    await repeated(() => this.client.send(new HeadBucketCommand({ Bucket: this.bucket })));
  }

  async put(name: FileName, { path, bytes, sha256 }: LocalFile): Promise<void> {
    // The store compares the digest with the received bytes, if it knows the digest.
    const digest = Buffer.from(sha256, 'hex').toString('base64');
    const put = { Bucket: this.bucket, Key: storedPath(name), ContentLength: bytes, ChecksumSHA256: digest };
    await repeated(() => this.client.send(new PutObjectCommand({ ...put, Body: createReadStream(path) })));
  }

  async open(name: FileName): Promise<Readable | undefined> {
    const get = new GetObjectCommand({ Bucket: this.bucket, Key: storedPath(name) });
    try {
      const { Body: body } = await repeated(() => this.client.send(get));
      if (!(body instanceof Readable)) throw new Error('The bucket answered without a stream');
      return body;
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  async delete(name: FileName): Promise<void> {
    const deletion = new DeleteObjectCommand({ Bucket: this.bucket, Key: storedPath(name) });
    await repeated(() => this.client.send(deletion));
  }
}

/**
 * Calls the bucket, and again after a short wait while it is overloaded or out of reach. Throws
 * {@link MediaFilesUnavailable} after the last attempt, and other failures at once.
 */
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (cause) {
      const status = statusOf(cause);
      // A key that the bucket does not have is an answer.
      if (status === 404 && cause instanceof Error && cause.name === 'NoSuchKey') throw cause;
      const passes = status === undefined || status === 429 || status >= 500;
      if (passes && attempt < ATTEMPTS_MAX) {
        await pause(FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
        continue;
      }
      throw new MediaFilesUnavailable(`The bucket of MEDIA_S3_BUCKET refused: ${nameOf(cause)}`, { cause });
    }
  }
}

/** Returns the HTTP status of an answer; undefined without an answer. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const { $metadata: answer } = error;
  const hasStatus = typeof answer === 'object' && answer !== null && 'httpStatusCode' in answer;
  return hasStatus && typeof answer.httpStatusCode === 'number' ? answer.httpStatusCode : undefined;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
