// Uploads a picture and sends it: node send-media.mjs photo.jpg +12025550142 "Look at this".
// Node 20, nothing to install; PENNYTEXT_URL and PENNYTEXT_API_KEY are variables of the environment.
// A lost answer is asked for again with one Idempotency-Key: the message is sent and charged once.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

const [file, to, text = ''] = process.argv.slice(2);
const { PENNYTEXT_URL: url, PENNYTEXT_API_KEY: apiKey } = process.env;
if (!file || !to || !url || !apiKey) {
  console.error('Usage: PENNYTEXT_URL=… PENNYTEXT_API_KEY=… node send-media.mjs FILE TO [TEXT]');
  process.exit(2);
}
const TRIES = 3;
const authorization = `Bearer ${apiKey}`;

/** The answer of a call, which is made again when there is none. */
async function call(path, request) {
  for (let tried = 1; ; tried += 1) {
    try {
      const response = await fetch(`${url}${path}`, { method: 'POST', ...request });
      if (response.status < 500 || tried === TRIES) return await response.json();
    } catch (error) {
      if (tried === TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000 * tried));
  }
}

const form = new FormData();
form.set('file', new Blob([await readFile(file)]), basename(file));
const stored = await call('/api/media', { headers: { authorization }, body: form });
if (stored.success !== 'true') throw new Error(`${stored.code}: ${stored.detail}`);

const sent = await call('/api/sendsms', {
  headers: { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
  body: JSON.stringify({ to, message: text, media: [{ media_id: stored.media_id }] }),
});
if (sent.success !== 'true') throw new Error(`${sent.code}: ${sent.detail}`);
console.log(`${sent.message_id}: ${sent.kind}, ${sent.credits} credits, ${sent.balance} left`);
