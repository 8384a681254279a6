import { v7 } from 'uuid';

/** 32 hex digits of a UUIDv7 (RFC 9562) without dashes. */
const UUID_V7 = '[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}';
const MESSAGE_ID = new RegExp(`^SM${UUID_V7}$`);
const BATCH_ID = new RegExp(`^BA${UUID_V7}$`);
const OTP_ID = new RegExp(`^OT${UUID_V7}$`);
const TOTP_ID = new RegExp(`^TP${UUID_V7}$`);
const MEDIA_ID = new RegExp(`^ME${UUID_V7}$`);
// These ignore case, since people copy them by hand as `from` of a message.
const NUMBER_ID = /^num_[0-9a-f]{32}$/i;
const POOL_ID = /^pool_[0-9a-f]{32}$/i;
const PLUG_ID = /^PL[0-9a-f]{32}$/;
const WEBHOOK_ID = new RegExp(`^msg_${UUID_V7}$`);

const RANDOM_BYTES = 16;
const randomPool = new Uint8Array(256 * RANDOM_BYTES);
let poolUsed = randomPool.length;
let lastMs = 0;
let sequence = 0;

/**
 * Returns a new message id: a UUIDv7 in lower case with dashes, greater than every id that this
 * process created before. Within a millisecond a 32-bit counter with a random start orders them.
 * Random bytes are drawn for many ids at a time, because the system call costs more than everything
 * else here.
 */
export function newMessageId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) lastMs += 1;
  }
  return v7({ random, msecs: lastMs, seq: sequence });
}

function randomBytes(): Uint8Array {
  if (poolUsed === randomPool.length) {
    crypto.getRandomValues(randomPool);
    poolUsed = 0;
  }
  poolUsed += RANDOM_BYTES;
  return randomPool.subarray(poolUsed - RANDOM_BYTES, poolUsed);
}

/** Formats a message id for the API: 'SM' and the 32 hex digits of the UUID, 34 characters. */
export function publicMessageId(uuid: string): string {
  return `SM${uuid.replaceAll('-', '')}`;
}

/** Parses a public message id; returns undefined for any other form or UUID version. */
export function messageIdFromPublic(text: string): string | undefined {
  return MESSAGE_ID.test(text) ? dashed(text.slice(2)) : undefined;
}

/** Formats the id of a batch: 'BA' and the 32 hex digits of the UUID, 34 characters. */
export function publicBatchId(uuid: string): string {
  return `BA${uuid.replaceAll('-', '')}`;
}

/** Parses the public id of a batch; returns undefined for any other form. */
export function batchIdFromPublic(text: string): string | undefined {
  return BATCH_ID.test(text) ? dashed(text.slice(2)) : undefined;
}

/** Formats the id of a one-time password: 'OT' and the 32 hex digits of the UUID, 34 characters. */
export function publicOtpId(uuid: string): string {
  return `OT${uuid.replaceAll('-', '')}`;
}

/** Parses the public id of a one-time password; returns undefined for any other form. */
export function otpIdFromPublic(text: string): string | undefined {
  return OTP_ID.test(text) ? dashed(text.slice(2)) : undefined;
}

/** Formats the id of an authenticator: 'TP' and the 32 hex digits of the UUID, 34 characters. */
export function publicTotpId(uuid: string): string {
  return `TP${uuid.replaceAll('-', '')}`;
}

/** Parses the public id of an authenticator; returns undefined for any other form. */
export function totpIdFromPublic(text: string): string | undefined {
  return TOTP_ID.test(text) ? dashed(text.slice(2)) : undefined;
}

/** Formats the id of a plug: 'PL' and the 32 hex digits of its key's UUID, 34 characters. */
export function publicPlugId(uuid: string): string {
  return `PL${uuid.replaceAll('-', '')}`;
}

/** Parses the public id of a plug; returns undefined for any other form. */
export function plugIdFromPublic(text: string): string | undefined {
  return PLUG_ID.test(text) ? dashed(text.slice(2)) : undefined;
}

/** Formats the id of a file of a message: 'ME' and the 32 hex digits of the UUID, 34 characters. */
export function publicMediaId(uuid: string): string {
  return `ME${uuid.replaceAll('-', '')}`;
}

/** Parses the public id of a file of a message; returns undefined for any other form. */
export function mediaIdFromPublic(text: string): string | undefined {
  return MEDIA_ID.test(text) ? dashed(text.slice(2)) : undefined;
}

/** Formats the id of a number: 'num_' and the 32 hex digits of the UUID. */
export function publicNumberId(uuid: string): string {
  return `num_${uuid.replaceAll('-', '')}`;
}

/** Parses the public id of a number; returns undefined for any other form. */
export function numberIdFromPublic(text: string): string | undefined {
  return NUMBER_ID.test(text) ? dashed(text.slice(4).toLowerCase()) : undefined;
}

/** Formats the id of a pool of numbers: 'pool_' and the 32 hex digits of the UUID. */
export function publicPoolId(uuid: string): string {
  return `pool_${uuid.replaceAll('-', '')}`;
}

/** Parses the public id of a pool; returns undefined for any other form. */
export function poolIdFromPublic(text: string): string | undefined {
  return POOL_ID.test(text) ? dashed(text.slice(5).toLowerCase()) : undefined;
}

const PLACEHOLDER = /^(?:[A-Z]+_)+ID$/;

/**
 * Explains to people that an account has no object with an id, or that the id is a placeholder of
 * the documentation such as `YOUR_MESSAGE_ID`.
 */
export function unknownIdText(
  what: 'message' | 'batch' | 'one-time password' | 'authenticator' | 'file' | 'number' | 'pool',
  id: string,
): string {
  const article = what === 'authenticator' ? 'an' : 'a';
  if (PLACEHOLDER.test(id)) return `${id} is a placeholder: put the id of ${article} ${what} of yours in its place.`;
  return `This account has no ${what} with this id.`;
}

/**
 * Formats the `webhook-id` header, the same on every attempt: 'msg_' and the 32 hex digits of the
 * UUIDv7.
 */
export function publicWebhookId(uuid: string): string {
  return `msg_${uuid.replaceAll('-', '')}`;
}

/** Parses a `webhook-id`; returns undefined for any other form. */
export function webhookIdFromPublic(text: string): string | undefined {
  return WEBHOOK_ID.test(text) ? dashed(text.slice(4)) : undefined;
}

/**
 * Returns the smallest UUIDv7 of a millisecond: a bound for partitions and pages in time. Throws
 * RangeError before 1970.
 */
export function uuidV7Floor(at: Date): string {
  const ms = at.getTime();
  if (!(ms >= 0)) throw new RangeError(`A UUIDv7 cannot represent the instant ${ms}.`);
  return dashed(`${ms.toString(16).padStart(12, '0')}70008000000000000000`);
}

/**
 * Returns the millisecond in which a UUIDv7 was created. Throws RangeError for any other version.
 */
export function instantOfUuidV7(uuid: string): Date {
  if (uuid[14] !== '7') throw new RangeError('Only a UUID of version 7 contains an instant.');
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

/** Formats the first 16 bytes like a UUID. */
export function uuidOfBytes(bytes: Buffer): string {
  return dashed(bytes.toString('hex', 0, 16));
}

function dashed(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
