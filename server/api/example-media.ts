import { createHash } from 'node:crypto';

const EXAMPLE_ID = `ME${'0'.repeat(32)}`;

/** A gray pixel. */
const bytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

const digest = createHash('sha256').update(bytes).digest('base64');

/** Answer that a test key gets in place of a file. */
export const exampleMedia = {
  bytes,
  headers: {
    'Content-Type': 'image/png',
    'Repr-Digest': `sha-256=:${digest}:`,
    'Content-Disposition': `attachment; filename="${EXAMPLE_ID}.png"`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  },
} as const;
