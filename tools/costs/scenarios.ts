import { once } from 'node:events';
import { createServer } from 'node:http';
import sharp from 'sharp';
import { smppSettings, telnyxSettings } from '../testkit/carrier-settings.js';
import { freePort } from '../testkit/ports.js';
import { until } from '../testkit/until.js';
import { type Figures, figuresOfOne, leastOf, medianOf, sumsOf } from './figures.js';
import type { Counted, SetUp, WatchedProduct } from './product.js';

/** Runs of a message that is alone, whose medians count, and of many together, whose least counts. */
const REPEATS = 3;
const REPEATS_TOGETHER = 3;
const TOGETHER = 200;
/** This many recipients include some for each of three carriers. */
const NUMBERS_MAX = 30;
const WARM_UP_ROUNDS = 3;
const BULK = 1_000;
const MESSAGE = 'Your parcel 40817 arrives today between 2 and 4 pm. Reply STOP to opt out.';
const SENDER = '+15005550006';
const HOUR_MS = 3_600_000;
const HEARD_WITHIN_MS = 10_000;

/** Twilio alone; the three carriers of `npm start`; an SMSC that takes all messages. */
export const setUps: readonly (SetUp & { readonly measure: typeof measureFeatures })[] = [
  { name: 'one carrier', used: 1, carriers: () => ({ SMPP_BINDS: '[]' }), measure: measureFeatures },
  {
    name: 'three carriers',
    used: 3,
    carriers: (sandbox, smsc) => ({ ...telnyxSettings(sandbox), ...smppSettings(smsc) }),
    measure: measureMessages,
  },
  {
    name: 'SMPP alone',
    used: 1,
    carriers: (_sandbox, smsc) => smppSettings(smsc),
    command: ['region', 'enable', 'USA', '--routes', 'twilio:0', 'smsc:100'],
    measure: measureMessages,
  },
];

let used = 0;
/** A number of the United States that has got nothing yet. */
const freshNumber = () => `+16465${String((used += 1)).padStart(6, '0')}`;
const knownNumber = (n: number) => `+16467${String(n % TOGETHER).padStart(6, '0')}`;

/** The figures of messages to known and to new numbers, by scenario. */
async function measureMessages(product: WatchedProduct): Promise<Record<string, Figures>> {
  const { apiKeys } = product;
  const keyOf = (n: number) => apiKeys[n % apiKeys.length] ?? '';
  const send = (to: string, n: number) => product.post('/api/sendsms', { to, message: MESSAGE, apikey: keyOf(n) });
  const sendAll = (numberOf: (n: number) => string) =>
    Promise.all(Array.from({ length: TOGETHER }, (_one, n) => send(numberOf(n), n)));
  const together = async (numberOf: (n: number) => string) => {
    const runs: Figures[] = [];
    for (let n = 0; n < REPEATS_TOGETHER; n += 1) {
      const all = await product.count(() =>
        product.together(async () => {
          await sendAll(numberOf);
          await product.untilFinal();
        }),
      );
      runs.push(sumsOf(all, TOGETHER));
    }
    return leastOf(runs);
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await sendAll(knownNumber);
    await product.untilFinal();
  }
  await product.freeze();
  return {
    ...(await aloneByCarrier(product, 'first contact', () => send(freshNumber(), 0))),
    // Each run takes another number of the same account.
    ...(await aloneByCarrier(product, 'known recipient', (n) => send(knownNumber(n * apiKeys.length), 0))),
    [`${TOGETHER} together, first contact`]: await together(freshNumber),
    [`${TOGETHER} together, known recipients`]: await together(knownNumber),
  };
}

/** The median figures of a message that is alone, by the carrier that its recipient's number leads to. */
async function aloneByCarrier(
  product: WatchedProduct,
  name: string,
  work: (n: number) => Promise<unknown>,
): Promise<Record<string, Figures>> {
  const runs = new Map<string, Figures[]>();
  const isEnough = () => runs.size === product.used && [...runs.values()].every(({ length }) => length >= REPEATS);
  for (let n = 0; n < NUMBERS_MAX && !isEnough(); n += 1) {
    const figures = figuresOfOne(await counted(product, () => work(n)));
    const carrier = await product.lastCarrier();
    runs.set(carrier, [...(runs.get(carrier) ?? []), figures].slice(0, REPEATS));
  }
  if (!isEnough()) throw new Error(`Of ${product.used} carriers, ${runs.size} got messages`);
  return Object.fromEntries([...runs].map(([carrier, those]) => [`alone, ${name}, by ${carrier}`, medianOf(those)]));
}

/** The median figures of some work that is done several times, until every message is final. */
async function alone(product: WatchedProduct, work: (n: number) => Promise<unknown>): Promise<Figures> {
  const runs: Figures[] = [];
  for (let n = 0; n < REPEATS; n += 1) runs.push(figuresOfOne(await counted(product, () => work(n))));
  return medianOf(runs);
}

function counted(product: WatchedProduct, work: () => Promise<unknown>): Promise<Counted> {
  return product.count(async () => {
    await work();
    await product.untilFinal();
  });
}

/** The figures of work that a message may bring or cause. */
async function measureFeatures(product: WatchedProduct): Promise<Record<string, Figures>> {
  const plain = await measureMessages(product);
  const [apikey = ''] = product.apiKeys;
  const known = knownNumber(0);
  const message = { to: known, message: MESSAGE, apikey };
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#777' } })
    .png()
    .toBuffer();
  const media = [await product.upload(new Blob([new Uint8Array(picture)], { type: 'image/png' }))];
  const inAnHour = new Date(Date.now() + HOUR_MS).toISOString();
  const recipients = () => Array.from({ length: BULK }, () => ({ to: freshNumber() }));
  return {
    ...plain,
    'of a named key with a budget': await alone(product, () =>
      product.post('/api/sendsms', { ...message, apikey: product.budgetKey }),
    ),
    'a one-time password and its verification': await alone(product, () => sendCode(product, freshNumber(), apikey)),
    [`in a bulk of ${BULK}`]: sumsOf(
      await counted(product, () =>
        product.post('/api/sendbulk', { apikey, message: MESSAGE, recipients: recipients() }),
      ),
      BULK,
    ),
    'scheduled, until it is accepted': await alone(product, () =>
      product.post('/api/sendsms', { ...message, send_at: inAnHour }),
    ),
    'with a picture': await alone(product, () => product.post('/api/sendsms', { ...message, media })),
    'a receipt that repeats a state': await repeatedReceipt(product, known),
    'a reply with a webhook': await reply(product, known),
  };
}

async function sendCode(product: WatchedProduct, to: string, apikey: string): Promise<void> {
  await product.post('/api/sendotp', { to, apikey, org: 'Pennytext' });
  const carried = async () => (await product.carrier.messages(to))[0];
  const { body } = await until('the code is at the carrier', carried, { timeoutMs: HEARD_WITHIN_MS, everyMs: 10 });
  const [otp] = /\d{4,}/.exec(body) ?? [];
  const answer = await product.text('/api/verifyotp', { otp, apikey, to });
  if (!/^true|verified|success/i.test(answer)) throw new Error(`The code was not verified: ${answer}`);
}

async function repeatedReceipt(product: WatchedProduct, to: string): Promise<Figures> {
  const last = (await product.carrier.messages(to)).at(-1);
  if (!last?.statusCallback) throw new Error(`No message went to ${to}`);
  const { statusCallback, sid } = last;
  return alone(product, () => product.receipt(statusCallback, sid, 'delivered'));
}

/** A person's reply, until the customer's server has its event. */
async function reply(product: WatchedProduct, from: string): Promise<Figures> {
  let events = 0;
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      events += 1;
      response.end();
    });
  });
  const port = await freePort();
  await once(receiver.listen(port, '127.0.0.1'), 'listening');
  try {
    await product.sql.query('INSERT INTO webhook_endpoints (account_id, url) SELECT id, $1 FROM accounts', [
      `http://127.0.0.1:${port}/`,
    ]);
    // The server learns of the webhook within a second of its clock.
    await product.thaw();
    await product.carrier.reply(from, SENDER, 'First');
    await until('the first event comes', () => events > 0, { timeoutMs: HEARD_WITHIN_MS });
    await product.freeze();
    return await alone(product, async (n) => {
      const before = events;
      await product.carrier.reply(from, SENDER, `Reply ${n}`);
      await until('the event comes', () => events > before, { timeoutMs: HEARD_WITHIN_MS, everyMs: 10 });
    });
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}
