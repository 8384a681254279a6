import { createReadStream } from 'node:fs';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { limits } from '#contract/limits.js';
import { ApiKeys, type NeededScopes } from '#core/keys/api-keys.js';
import { FilePlaces } from '#core/messages/files/file-places.js';
import { GivenFiles } from '#core/messages/files/given-files.js';
import { ReceivingPlaces } from '#core/messages/files/receiving-places.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { clientNetwork } from '#core/rules/network-addresses.js';
import { boundedStream } from '../http/bounded-stream.js';
import { bearerOf } from '../http/credentials.js';
import { fieldsOfApiBody, idempotencyKeyOf } from '../http/input.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { requestContextOf } from '../http/request-hooks.js';
import { UnreadBody } from '../http/unread-body.js';
import type { ApiAccount, ApiRequest } from './api-caller.js';

/**
 * Bodies over 64 KiB that arrive at the same time without a key in their head: from one address
 * (IPv6: /64), and in total.
 */
const UNKNOWN_PER_ADDRESS_MAX = 2;
const UNKNOWN_MAX = 16;
const RETRY_AFTER_SECONDS = 1;

/** Routes with bodies of megabytes, and the scopes of which the key of each needs one. */
const uploadScopes: ReadonlyMap<string, NeededScopes> = new Map<string, NeededScopes>([
  ['/api/sendbulk', ['send']],
  ['/api/quote', ['send', 'otp']],
  ['/api/media', ['send']],
]);

/**
 * Callers of the routes with long bodies. With `Authorization: Bearer` the key is found before the
 * body arrives. A key in the body is searched in the raw bytes, and only the body of a known key is
 * parsed.
 *
 * While a long body arrives without a key in its head it holds memory for an unknown caller, so few
 * such bodies are received at the same time.
 */
@Injectable()
export class Uploads {
  private unknown = 0;
  private readonly unknownByNetwork = new Map<string, number>();

  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly rateLimits: ApiRateLimits,
    private readonly receivingPlaces: ReceivingPlaces,
    private readonly filePlaces: FilePlaces,
    private readonly givenFiles: GivenFiles,
  ) {}

  /**
   * Fastify hook, before the body arrives. Without a key in the head a body of unknown length may
   * not become long, and no file is received; with a key, files are received in the account's
   * places.
   *
   * Throws the errors of {@link callerOf}, and `rate_limited`, `unavailable`, `body_too_large`, and
   * for files `media_limit` and `media_too_large`. The body of a file breaks with `media_too_large`
   * and `body_too_slow`.
   */
  readonly admit = async (
    request: ApiRequest,
    reply: FastifyReply,
    payload: RequestPayload,
  ): Promise<RequestPayload> => {
    const scopes = uploadScopes.get(request.routeOptions.url ?? '');
    if (scopes === undefined || request.method !== 'POST') return payload;
    const bearer = bearerOf(request);
    if (isMultipart(request)) return this.admitFile(request, reply, payload, bearer);
    if (bearer !== undefined) request.caller = await this.identify(request, reply, bearer, scopes);
    else if (request.headers['content-length'] === undefined)
      return payload.pipe(boundedStream({ bytesMax: limits.apiBodyBytesMax, tooLarge: bodyTooLarge }));
    else if (Number(request.headers['content-length']) > limits.apiBodyBytesMax) this.admitUnknown(request, reply);
    return payload;
  };

  /**
   * The account of a request whose body has arrived. Throws `missing_fields` without a key,
   * `invalid_request`, `rate_limited` and the errors of {@link ApiKeys.authenticate}.
   */
  async callerOf(request: ApiRequest, reply: FastifyReply, scopes: NeededScopes): Promise<ApiAccount> {
    const { caller } = request;
    if (caller && 'accountId' in caller) return caller;
    const key = request.body instanceof UnreadBody ? keyIn(request.body) : undefined;
    if (!key) throw new DomainError('missing_fields', 'Send the API key as "Authorization: Bearer" or as "apikey".');
    return this.identify(request, reply, key, scopes);
  }

  /**
   * Reads the body of a known caller. Throws `invalid_request`, also when the body has another key
   * than the request's.
   */
  fieldsOf({ body }: FastifyRequest, { key }: ApiAccount): Record<string, unknown> {
    const fields = fieldsOfApiBody(body) ?? {};
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw new DomainError('invalid_request', 'The body is not a JSON object.');
    const named = keyOfFields(fields);
    const other = named === undefined ? key : this.apiKeys.parse(named);
    if (other.test !== key.test || !other.hash.equals(key.hash))
      throw new DomainError('invalid_request', 'apikey: the request has two different API keys.');
    return { ...fields };
  }

  private async identify(
    request: FastifyRequest,
    reply: FastifyReply,
    keyText: string,
    scopes: NeededScopes,
  ): Promise<ApiAccount> {
    const [key, address] = [this.apiKeys.parse(keyText), request.ip];
    await this.rateLimits.takeKey(key, reply);
    const account = await this.apiKeys.authenticate(key, address, ...scopes);
    const idempotencyKey = idempotencyKeyOf(request);
    return { key, address, ...account, idempotencyKey, context: requestContextOf(request) };
  }

  /**
   * Receives a known caller's file on the disk, and reads it into memory in a place of the account,
   * which decoding and storing needs. A body that trickles holds no such place, and is refused.
   */
  private async admitFile(
    request: ApiRequest,
    reply: FastifyReply,
    payload: RequestPayload,
    bearer: string | undefined,
  ): Promise<RequestPayload> {
    if (bearer === undefined)
      throw new DomainError('missing_fields', 'Send the API key of a file as "Authorization: Bearer".');
    const caller = await this.identify(request, reply, bearer, ['send']);
    if (Number(request.headers['content-length'] ?? 0) > FILE_BODY_BYTES_MAX) throw fileTooLarge();
    const atEnd = untilClosed(reply);
    atEnd(await this.receivingPlaces.enter(caller.accountId));
    const body = boundedStream({ bytesMax: FILE_BODY_BYTES_MAX, tooLarge: fileTooLarge, pace: FILE_PACE });
    // The body's reader gets the error, if it still reads.
    body.on('error', () => undefined);
    atEnd(() => body.destroy(fileBroken()));
    try {
      const file = await this.givenFiles.receiveBody(payload.pipe(body), FILE_BODY_BYTES_MAX);
      // A file that a broken disk keeps is removed when a process starts.
      atEnd(() => void file.remove().catch(() => undefined));
      atEnd(await this.filePlaces.enter(caller.accountId));
      request.caller = caller;
      return createReadStream(file.path);
    } catch (error) {
      // Does not wait for the rest of the body.
      reply.header('connection', 'close');
      throw error;
    }
  }

  private admitUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const network = clientNetwork(request.ip);
    const own = this.unknownByNetwork.get(network) ?? 0;
    if (own >= UNKNOWN_PER_ADDRESS_MAX)
      throw new DomainError('rate_limited', `Your address is already sending long bodies without a key. ${ADVICE}`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    if (this.unknown >= UNKNOWN_MAX)
      throw new DomainError('unavailable', `Too many long bodies without a key are being received. ${ADVICE}`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.unknown += 1;
    this.unknownByNetwork.set(network, own + 1);
    reply.raw.once('close', () => {
      this.unknown -= 1;
      const left = (this.unknownByNetwork.get(network) ?? 1) - 1;
      if (left === 0) this.unknownByNetwork.delete(network);
      else this.unknownByNetwork.set(network, left);
    });
  }
}

const ADVICE = 'Send the API key of a long body as "Authorization: Bearer".';

const FILE_BODY_BYTES_MAX = limits.messageMediaBytesMax + limits.multipartOverheadBytesMax;

const FILE_PACE = {
  graceSeconds: limits.uploadGraceSeconds,
  bytesPerSecondMin: limits.uploadBytesPerSecondMin,
  tooSlow: fileTooSlow,
};

/**
 * Returns a function that takes callbacks, which run once the answer is sent or the caller is gone.
 */
function untilClosed({ raw }: FastifyReply): (end: () => void) => void {
  return (end) => {
    if (raw.closed) end();
    else raw.once('close', end);
  };
}

function isMultipart({ headers }: FastifyRequest): boolean {
  return /^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '');
}

function fileTooLarge(): DomainError {
  const max = limits.messageMediaBytesMax.toLocaleString('en-US');
  return new DomainError('media_too_large', `A file may have ${max} bytes. You were not charged.`);
}

function fileBroken(): DomainError {
  return new DomainError('invalid_request', 'The connection was closed before the file had arrived.');
}

function fileTooSlow(): DomainError {
  const min = limits.uploadBytesPerSecondMin.toLocaleString('en-US');
  const detail = `The file arrives too slowly: it has to bring ${min} bytes a second on average.`;
  return new DomainError('body_too_slow', `${detail} You were not charged.`);
}

function bodyTooLarge(): DomainError {
  return new DomainError('body_too_large', `The body is too large. ${ADVICE}`);
}

const KEY_FIELD = '"apikey"';
const KEY_VALUE = /^"apikey"\s*:\s*"([^"\\]*)"/;
/** Bytes of the field's name, white space and the longest key. */
const KEY_BYTES_MAX = 256;

/**
 * The key in a body. A short body is parsed, as for every other call. A long body is searched for
 * its first and last field of that name: inside a text a quotation mark would be escaped.
 */
function keyIn(body: UnreadBody): string | undefined {
  if (body.bytes.length <= limits.apiBodyBytesMax) return keyOfFields(body.read());
  const at = [body.bytes.indexOf(KEY_FIELD), body.bytes.lastIndexOf(KEY_FIELD)];
  return at.map((start) => keyAt(body.bytes, start)).find((key) => key !== undefined);
}

function keyAt(bytes: Buffer, start: number): string | undefined {
  if (start < 0) return undefined;
  return KEY_VALUE.exec(bytes.subarray(start, start + KEY_BYTES_MAX).toString('utf8'))?.[1] || undefined;
}

/** The `apikey` of a body's fields, if it has one. Throws `invalid_request`. */
function keyOfFields(fields: unknown): string | undefined {
  const key: unknown = typeof fields === 'object' && fields !== null && 'apikey' in fields ? fields.apikey : undefined;
  if (key === undefined || key === null || key === '') return undefined;
  if (typeof key === 'string') return key;
  throw new DomainError('invalid_request', 'apikey: must be a text.');
}
