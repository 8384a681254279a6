import { Pool } from 'undici';
import { serverUrlOf } from '../processes/environment.js';
import type { Prepared } from './database.js';

const connections = 50;

/** Sends this many messages, each with its own Idempotency-Key. Throws when one is refused. */
export async function sendWithKeys({ place }: Prepared, bodies: readonly string[], amount: number): Promise<void> {
  const pool = new Pool(serverUrlOf(place), { connections });
  const rest = Array.from({ length: amount }, (_, n) => n).values();
  const lane = async () => {
    for (const n of rest) {
      const answer = await pool.request({
        path: '/api/sendsms',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `order-${n}-4f6f2f9c1b3d` },
        body: bodies[n % bodies.length] ?? '',
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`A message was refused with ${answer.statusCode}: ${text}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, lane));
  } finally {
    await pool.close();
  }
}
