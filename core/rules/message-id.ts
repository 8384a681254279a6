import { v7 } from 'uuid';

const PUBLIC_ID = /^SM[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

const RANDOM_BYTES = 16;
const randomPool = new Uint8Array(256 * RANDOM_BYTES);
let poolUsed = randomPool.length;
let lastMs = 0;
let sequence = 0;

/**
 * A new message's id: UUIDv7 (RFC 9562), lower case with dashes, above every id that this process made before: within a
 * millisecond a 32-bit counter from a random start orders them. Random bytes are drawn for many ids at a time, because
 * the system call is dearer than all the rest.
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

/** The id that callers see: 'SM' and the UUID's 32 hex digits, 34 characters. */
export function publicMessageId(uuid: string): string {
  return `SM${uuid.replaceAll('-', '')}`;
}

/** The UUID behind a public id; undefined for a text of any other form or UUID version. */
export function messageIdFromPublic(text: string): string | undefined {
  return PUBLIC_ID.test(text) ? dashed(text.slice(2)) : undefined;
}

/** The smallest UUIDv7 of that millisecond: a bound for partitions and pages in time. Throws RangeError before 1970. */
export function uuidV7Floor(at: Date): string {
  const ms = at.getTime();
  if (!(ms >= 0)) throw new RangeError(`A UUIDv7 cannot hold the instant ${ms}.`);
  return dashed(`${ms.toString(16).padStart(12, '0')}70008000000000000000`);
}

/** The millisecond in which a UUIDv7 was made. Throws RangeError for any other version. */
export function instantOfUuidV7(uuid: string): Date {
  if (uuid[14] !== '7') throw new RangeError('Only a UUID of version 7 holds an instant.');
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

function dashed(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
