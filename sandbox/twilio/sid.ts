import { randomFillSync } from 'node:crypto';

const SID_BYTES = 16;
const pool = Buffer.alloc(SID_BYTES * 256);
let used = pool.length;

/** A new message sid: SM and 32 hexadecimal digits. */
export function newMessageSid(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return 'SM' + pool.toString('hex', used, (used += SID_BYTES));
}
