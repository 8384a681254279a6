import { createHmac } from 'node:crypto';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { acceptanceStatement, acceptanceValues, type AcceptanceRow } from '#core/messages/send/acceptance.sql.js';
import { answerOneJob } from '../children.js';

export interface AcceptanceJob {
  readonly databaseUrl: string;
  /** Base64. */
  readonly hashSecret: string;
  readonly apiKeys: readonly string[];
  readonly seconds: number;
  /** Requests per statement. */
  readonly batch: number;
  /** Concurrent statements. */
  readonly inFlight: number;
}

export interface AcceptanceResult {
  readonly accepted: number;
  readonly seconds: number;
}

answerOneJob(run);

/** Runs the acceptance statement with nothing around it. */
async function run(job: AcceptanceJob): Promise<AcceptanceResult> {
  const pool = new Pool({ connectionString: job.databaseUrl, max: job.inFlight });
  const hashes = job.apiKeys.map((key) =>
    createHmac('sha256', Buffer.from(job.hashSecret, 'base64')).update(key).digest(),
  );
  let made = 0;
  let accepted = 0;
  const startedAtMs = performance.now();
  const untilMs = startedAtMs + job.seconds * 1_000;

  const lane = async () => {
    while (performance.now() < untilMs) {
      const batch = Array.from({ length: job.batch }, () => requestOf(hashes, made++));
      const { rows } = await pool.query<{ verdict: string }>({
        ...acceptanceStatement,
        values: acceptanceValues(batch),
      });
      const refusal = rows.find(({ verdict }) => verdict !== 'accepted');
      if (refusal) throw new Error(`A message was not accepted: ${refusal.verdict}`);
      accepted += rows.length;
    }
  };
  await Promise.all(Array.from({ length: job.inFlight }, lane));
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await pool.end();
  return { accepted, seconds };
}

function requestOf(hashes: readonly Buffer[], n: number): AcceptanceRow {
  const keyHash = hashes[n % hashes.length];
  if (!keyHash) throw new Error('There is at least one account');
  return {
    id: uuidv7(),
    keyHash,
    address: '127.0.0.1',
    test: false,
    kind: 'sms',
    recipient: `+1202555${String(100 + (n % 100)).padStart(4, '0')}`,
    country: 'US',
    sender: '+15005550006',
    body: 'Your parcel 40817 arrives today between 2 and 4 pm. Reply STOP to opt out.',
    segments: 1,
    price: 1,
    hasUrl: false,
    reference: null,
    idempotencyKey: null,
    bodyHash: null,
  };
}
