import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { MessageView } from '#contract/messages.js';
import { freePort } from '../../tools/testkit/ports.js';
import { until } from '../../tools/testkit/until.js';
import { CutConnections } from '../../tools/testkit/cut-connections.js';
import { stopWithCleanLedger } from '../testing/invariants.js';
import { Stack, type TestAccount } from '../testing/stack.js';

/** Seconds of each disturbance of each carrier. Longer runs are for a person who waits. */
const SECONDS = Number(process.env['CARRIER_CHAOS_SECONDS'] ?? 6);
/** Names of disturbances, separated by commas; all by default. */
const only = process.env['CARRIER_CHAOS_ONLY']?.split(',');
const SENDS_PER_SECOND = 10;
const senderOf = { twilio: '+15005550006', telnyx: '+15005550100', smsc: '+15005550200' } as const;
const HEDGE_SECONDS = 8;
/** Time in which Twilio's records and receipts settle all of its messages. */
const TWILIO_DECIDES_MS = 60_000;
const ENDED_WITHIN_MS = 180_000;
const DELIVERED_WITHIN_MS = 25_000;
/**
 * Time after a fault: a probe ends the pause of its carrier, and a lost bind is retried within 30
 * s.
 */
const AT_WORK_WITHIN_MS = 120_000;
/** Weights of all routes when a fault begins. */
const WEIGHT = 50;

type Service = keyof typeof senderOf;
/** The first carriers, one for each route. */
const services = (['twilio', 'telnyx', 'smsc'] as const).slice(0, Number(process.env['CARRIER_CHAOS_ROUTES'] ?? 3));

interface Sent {
  readonly id: string;
  readonly to: string;
  readonly kind: 'sms' | 'otp';
  /** Disturbance at the time. */
  readonly during: string;
}

test.describe.configure({ timeout: 15 * (SECONDS * 1_000 + AT_WORK_WITHIN_MS) + ENDED_WITHIN_MS + 180_000 });

let stack: Stack;
let ways: Readonly<Record<Service, CutConnections>>;

/**
 * Disturbances of each carrier in turn. `lying`: it takes messages, and its answers or receipts are
 * wrong.
 */
const disturbances = {
  killed: { begin: (service: Service) => ways[service].cut() },
  hung: { begin: (service: Service) => ways[service].silence() },
  'without receipts': { begin: (service: Service) => stack.vendors.misbehave({ service, mode: 'no-callback' }) },
  lying: { begin: (service: Service) => stack.vendors.misbehave({ service, mode: 'accepted-then-5xx' }) },
  'refusing the account': { begin: (service: Service) => stack.vendors.misbehave({ service, mode: 'suspended' }) },
} as const;

test.afterAll(async () => {
  await stopWithCleanLedger(stack);
  for (const way of Object.values(ways ?? {})) await way.stop();
});

test('no message is lost or doubled while each carrier fails, and codes arrive in time', async () => {
  const logFolder = test.info().outputPath('logs');
  const smppPort = await freePort();
  const env = { SANDBOX_SMPP_PORT: String(smppPort) };
  stack = await Stack.start({ servers: 1, receiptDelayMs: 200, logFolder, env });
  const sandboxPort = Number(new URL(stack.carrier.url).port);
  ways = {
    twilio: await CutConnections.to(sandboxPort),
    telnyx: await CutConnections.to(sandboxPort),
    smsc: await CutConnections.to(smppPort),
  };
  const bind = { name: 'smsc', url: ways.smsc.url.replace('http:', 'smpp:'), senders: [senderOf.smsc] };
  stack.useSettings({ TWILIO_API_URL: ways.twilio.url });
  const telnyx = {
    TELNYX_API_KEY: 'KEY_sandbox',
    TELNYX_PUBLIC_KEY: 'xcoq0gutByTpfJ9DoIAR4//RmsxxklziM0uJ6yIlPYw=',
    TELNYX_SENDERS: senderOf.telnyx,
    TELNYX_API_URL: ways.telnyx.url,
  };
  if (services.includes('telnyx')) stack.useSettings(telnyx);
  const SMPP_BINDS = JSON.stringify([{ ...bind, system_id: 'sandbox', password: 'sandbox' }]);
  if (services.includes('smsc')) stack.useSettings({ SMPP_BINDS });
  await stack.program('server-0').stop();
  await stack.startServer(0);
  await Promise.all([stack.startWorker(), stack.startWorker(1)]);
  await stack.sql(`DELETE FROM otp_rules WHERE subject = 'block'`, []);
  const account = await stack.account(1_000_000);

  const sent: Sent[] = [];
  for (const service of services)
    for (const [name, { begin }] of Object.entries(disturbances)) {
      if (only !== undefined && !only.includes(name)) continue;
      await beginAnew(`${service} ${name}`);
      await begin(service);
      await send(account, sent, `${service} ${name}`);
      ways[service].heal();
      await stack.vendors.misbehave({ service, mode: 'none' });
    }

  const messages = await ended(account);
  const copies = new Map<string, number>();
  for (const { to } of await stack.carrier.messages()) copies.set(to, (copies.get(to) ?? 0) + 1);
  const byId = new Map(messages.map((message) => [message.message_id, message]));
  const views = sent.map((one) => ({ ...one, copies: copies.get(one.to) ?? 0, view: byId.get(one.id) }));

  report(views);
  if (services.length > 1) console.log(JSON.stringify(await stack.admin('route', 'history', 'US')));
  expect(messages).toHaveLength(sent.length);
  expect(views.filter((one) => one.copies > (one.kind === 'sms' ? 1 : 2))).toEqual([]);
  const isOpen = ({ view }: (typeof views)[number]) => view !== undefined && inDoubt(view);
  // With a single route a code can wait until it is no longer of use.
  const isExpired = ({ copies: carried, view }: (typeof views)[number]) =>
    carried === 0 && view?.error_code === 'expired' && view.refunded === view.credits;
  const isDelivered = ({ copies: carried, view }: (typeof views)[number]) =>
    carried > 0 && view?.status === 'delivered';
  const lost = views.filter((one) => !isDelivered(one) && !isExpired(one) && !isOpen(one));
  expect(lost).toEqual([]);
  const senders = new Set(messages.flatMap(({ from }) => from ?? []));
  expect(senders).toEqual(new Set(services.map((service) => senderOf[service])));
  // With a single route a code has no other way.
  for (const service of services.length > 1 ? services : []) {
    const hung = views.filter(({ kind, during }) => kind === 'otp' && during === `${service} hung`);
    const inTime = hung.filter(({ view }) => view && tookMs(view) <= DELIVERED_WITHIN_MS);
    expect(inTime.length).toBeGreaterThanOrEqual(0.95 * hung.length);
  }
});

/**
 * Waits until every carrier takes messages and no message waits in a queue, and resets the weights.
 * Ended messages are moved two hours back, so that no fault shows in the figures of the next fault.
 */
async function beginAnew(next: string): Promise<void> {
  const since = Date.now();
  const isBound = async () => {
    const states = await Promise.all(
      stack.workerUrls.map(async (url) => {
        const readiness = (await (await fetch(`${url}/readyz`)).json()) as { binds?: { smsc?: string } };
        return readiness.binds?.smsc;
      }),
    );
    return states.includes('bound');
  };
  const areAtWork = async () => {
    if (services.includes('smsc') && !(await isBound())) return false;
    // The database tells as much as `queue status`, without a start of the command line twice a
    // second.
    const [row] = await stack.sql<{ areAtWork: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM carrier_pauses WHERE resumed_at IS NULL)
         AND NOT EXISTS (SELECT FROM messages WHERE status = 'queued') AS "areAtWork"`,
      [],
    );
    return row?.areAtWork === true;
  };
  await until('all carriers are at work', areAtWork, { timeoutMs: AT_WORK_WITHIN_MS, everyMs: 500 });
  console.log(`${next}: all carriers at work after ${Date.now() - since} ms`);
  if (services.length === 1) return;
  await stack.sql(
    `UPDATE messages SET claimed_at = claimed_at - interval '2 hours'
     WHERE status IN ('delivered', 'undelivered', 'failed') AND claimed_at > now() - interval '1 hour'`,
    [],
  );
  await stack.sql(
    `UPDATE message_attempts SET handed_at = handed_at - interval '2 hours'
     WHERE receipt IS NOT NULL AND handed_at > now() - interval '1 hour'`,
    [],
  );
  await stack.sql(`UPDATE route_changes SET at = at - interval '2 hours'`, []);
  await stack.admin('region', 'enable', 'USA', '--routes', ...services.map((service) => `${service}:${WEIGHT}`));
  await stack.sql('UPDATE routes SET weight = resting_weight', []);
}

/**
 * Whether a message waits for an outcome that comes late or never: Telnyx's records decide after
 * ten minutes about a hand-over in doubt, and an SMSC cannot be asked.
 */
function inDoubt({ status, from, delivery, created_at: at }: MessageView): boolean {
  if (delivery === 'fast' || Date.now() - Date.parse(at) < TWILIO_DECIDES_MS) return false;
  return status === 'sending' || (status === 'sent' && from === senderOf.smsc);
}

/** All messages, once every message has ended or is in doubt. */
function ended({ apiKey }: TestAccount): Promise<MessageView[]> {
  const isOpen = (view: MessageView) => ['queued', 'sending', 'sent'].includes(view.status) && !inDoubt(view);
  const look = async () => {
    // The newest messages end last: mostly the first page has an open message.
    const messages = await stack.api.messages(apiKey, (page) => page.some(isOpen));
    return messages.some(isOpen) ? false : messages;
  };
  return until('every message has ended', look, { timeoutMs: ENDED_WITHIN_MS, everyMs: 2_000 }).catch(
    async (error: unknown) => {
      const open = (await stack.api.messages(apiKey)).filter(isOpen);
      const headers = { authorization: `Bearer ${apiKey}` };
      for (const { message_id: id } of open.slice(0, 5))
        console.log(await (await fetch(`${stack.url}/api/messages/${id}/record`, { headers })).text());
      throw error;
    },
  );
}

let next = 0;

/** Sends messages and one-time passwords, to another number each, at an even rate. */
async function send({ apiKey: apikey }: TestAccount, sent: Sent[], during: string): Promise<void> {
  const sending: Promise<void>[] = [];
  const endsAt = Date.now() + SECONDS * 1_000;
  while (Date.now() < endsAt) {
    const n = (next += 1);
    const kind = n % 2 === 0 ? 'sms' : 'otp';
    const to = `+1212${2_000_000 + n}`;
    sending.push(sendOne(kind, to, apikey).then((id) => void sent.push({ id, to, kind, during })));
    await delay(1_000 / SENDS_PER_SECOND);
  }
  await Promise.all(sending);
}

async function sendOne(kind: 'sms' | 'otp', to: string, apikey: string): Promise<string> {
  if (kind === 'otp') {
    const answer = await stack.api.sendOtp({ to, apikey, hedge_seconds: HEDGE_SECONDS });
    if (answer.success !== 'true') throw new Error(`No code: ${JSON.stringify(answer)}`);
    return answer.message_id;
  }
  const outcome = await stack.api.send({ to, apikey, message: `To ${to}` });
  if (outcome.kind !== 'accepted') throw new Error(`No message: ${JSON.stringify(outcome)}`);
  return outcome.answer.message_id;
}

const tookMs = ({ created_at, finished_at }: MessageView) => Date.parse(finished_at ?? '') - Date.parse(created_at);

/** The figures of the run, for its report. */
function report(views: readonly (Sent & { readonly copies: number; readonly view: MessageView | undefined })[]): void {
  for (const during of new Set(views.map((view) => view.during)))
    for (const kind of ['sms', 'otp'] as const) {
      const those = views.filter((view) => view.during === during && view.kind === kind);
      const took = those.flatMap(({ view }) => (view?.finished_at ? tookMs(view) : [])).toSorted((a, b) => a - b);
      const at = (share: number) => took[Math.min(took.length - 1, Math.floor(share * took.length))];
      const twice = those.filter((one) => one.copies > 1).length;
      const times = `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${took.at(-1)} ms`;
      console.log(
        `${during}, ${kind}: ${those.length}, in doubt ${those.length - took.length}, twice ${twice}, ${times}`,
      );
    }
}
