import { expect, test } from '@playwright/test';
import { ask } from '../../tools/testkit/ask.js';
import { until } from '../../tools/testkit/until.js';
import { expectLedgerClean, stopWithCleanLedger } from '../testing/invariants.js';
import { Stack } from '../testing/stack.js';

/** OTP_SEQUENCES=10000 runs the proof at its full size. */
const sequences = Number(process.env['OTP_SEQUENCES'] ?? 150);
const AT_ONCE = 25;
const KILLED_EVERY_MS = 3_000;
const WAIT_SECONDS = 15;
const channels = ['sms', 'whatsapp', 'voice'].map((channel) => ({ channel, wait_seconds: WAIT_SECONDS }));
const areaCodes = [202, 212, 213, 305, 310, 312, 404, 415, 512, 617, 702, 713];

interface Sequence {
  readonly to: string;
  readonly otpId: string;
  readonly isVerified: boolean;
}

interface StoredMessage {
  readonly code: string;
  readonly step: number;
  readonly status: string;
  readonly credits: number;
  readonly refunded: number;
}

let stack: Stack;

test.describe.configure({ timeout: 180_000 + sequences * 120 });

test.beforeAll(async () => {
  // No receipt of a text comes while the test runs, so each wait ends.
  const logFolder = test.info().outputPath('logs');
  stack = await Stack.start({ servers: 1, receiptDelayMs: 3_600_000, logFolder });
  await stack.admin('region', 'set', 'USA', '--voice', 'on');
  // One account makes all calls.
  await stack.sql(`DELETE FROM otp_rules WHERE rule = 'caller_hour'`, []);
});

test.afterAll(() => stopWithCleanLedger(stack));

/** Numbers of different blocks, because the fraud guard counts unverified codes by block. */
function numberOf(n: number): string {
  const exchange = 200 + (Math.floor(n / areaCodes.length) % 600);
  const line = 1_000 + Math.floor(n / (areaCodes.length * 600)) * 1_000;
  return `+1${areaCodes[n % areaCodes.length]}${exchange}${line}`;
}

test('kill -9 of workers skips no step of a code, begins none twice and charges each that was taken', async () => {
  const account = await stack.account(sequences * 6);
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${stack.url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ apikey: account.apiKey, ...body }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  await Promise.all([stack.startWorker(0), stack.startWorker(1)]);

  const sent: Sequence[] = [];
  const numbers = Array.from({ length: sequences }, (_, n) => n).values();
  const codeSentTo = async (to: string) => {
    const [message] = await until(
      'the code is at the carrier',
      async () => {
        const found = await stack.carrier.messages(to);
        return found.length > 0 && found;
      },
      { timeoutMs: 60_000, everyMs: 200 },
    );
    return /code is (\d+)/.exec(message?.body ?? '')?.[1] ?? '';
  };
  const sending = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const n of numbers) {
        const to = numberOf(n);
        const { otp_id: otpId = '' } = await post('sendotp', { to, channels, limit: 10 });
        const isVerified = n % 10 === 0;
        sent.push({ to, otpId, isVerified });
        if (isVerified) await post('verifyotp', { otp: await codeSentTo(to), otp_id: otpId });
      }
    }),
  );
  const stored = () =>
    stack.sql<StoredMessage>(
      `SELECT coalesce(r.code_id, m.id)::text AS code, m.step, m.status, m.credits, m.refunded
       FROM messages m LEFT JOIN otp_resends r ON r.message_id = m.id WHERE m.kind = 'otp'`,
      [],
    );
  const over = new AbortController();
  const killing = (async () => {
    for (let kill = 0; !over.signal.aborted; kill += 1) {
      const index = kill % 2;
      await stack.program(index === 0 ? 'worker' : 'worker-1').crash();
      await stack.startWorker(index);
      await new Promise((resolve) => setTimeout(resolve, KILLED_EVERY_MS));
    }
  })();
  try {
    await sending;
    await until(
      'every code that was not entered has been sent by each channel',
      async () => {
        const open = await stack.sql(`SELECT id FROM otp_codes WHERE step_at IS NOT NULL`, []);
        const waiting = (await stored()).filter(({ status }) => status === 'queued' || status === 'sending');
        return open.length === 0 && waiting.length === 0;
      },
      { timeoutMs: 120_000 + sequences * 60, everyMs: 1_000 },
    );
  } finally {
    over.abort();
    await killing;
  }

  const byCode = new Map<string, StoredMessage[]>();
  for (const message of await stored()) byCode.set(message.code, [...(byCode.get(message.code) ?? []), message]);
  expect(byCode.size).toBe(sequences);
  const isTaken = ({ status }: StoredMessage) => status === 'sent' || status === 'delivered';
  const faults = sent.flatMap(({ otpId, isVerified }) => {
    const messages = (byCode.get(uuidOf(otpId)) ?? []).toSorted((one, other) => one.step - other.step);
    const steps = messages.map(({ step }) => step).join();
    const isRight = isVerified
      ? ['1', '1,2', '1,2,3'].includes(steps) && messages.every((one) => isTaken(one) || one.refunded === one.credits)
      : steps === '1,2,3' && messages.every((one) => isTaken(one) && one.refunded === 0);
    return isRight ? [] : [{ otpId, isVerified, messages }];
  });
  expect(faults).toEqual([]);

  type Carried = { readonly to: string };
  const control = (what: string) =>
    ask<Carried[]>(`${stack.carrier.url}/_control/${what}?limit=100000`, undefined, 60_000);
  const carried = { 1: await stack.carrier.messages(), 2: await control('whatsapp'), 3: await control('calls') };
  for (const [step, messages] of Object.entries(carried)) {
    const recipients = messages.map(({ to }) => to.replace('whatsapp:', ''));
    expect(new Set(recipients).size).toBe(recipients.length);
    const taken = [...byCode.values()].flat().filter((one) => String(one.step) === step && isTaken(one));
    expect(recipients).toHaveLength(taken.length);
  }
  await expectLedgerClean(stack);
});

function uuidOf(otpId: string): string {
  const hex = otpId.slice(2);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
