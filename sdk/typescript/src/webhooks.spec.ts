import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { deliveredEvent, received } from '../../../contract/examples.js';
import { verify, type WebhookHeaders } from './webhooks.js';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const now = new Date('2026-11-21T10:00:00Z');
const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const body = JSON.stringify(deliveredEvent);

function signed(text: string, time: Date, ...secrets: string[]) {
  return {
    'Webhook-Id': 'msg_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign('msg_1', time, text)).join(' '),
  };
}

const ofPairs = (
  headers: Record<string, string>,
  change: (name: string, value: string) => [string, string | string[]],
) => Object.fromEntries(Object.entries(headers).map(([name, value]) => change(name, value)));

describe('webhooks.verify', () => {
  const [secret, next] = [newSecret(), newSecret()];

  it('returns the event with its id', async () => {
    expect(await verify(body, signed(body, now, secret), secret, { now })).toEqual({ ...deliveredEvent, id: 'msg_1' });
  });

  it('names a received message, which has no type of its own', async () => {
    const text = JSON.stringify(received);
    const event = await verify(text, signed(text, now, secret), secret, { now });
    expect(event).toEqual({ type: 'message.received', data: received, id: 'msg_1' });
  });

  it('takes the body as bytes and headers of Fetch', async () => {
    const headers = new Headers(signed(body, now, secret));
    for (const bytes of [new TextEncoder().encode(body), new TextEncoder().encode(body).buffer])
      expect(await verify(bytes, headers, secret, { now })).toMatchObject({ id: 'msg_1' });
  });

  it.each<[string, (headers: Record<string, string>) => WebhookHeaders]>([
    ['in small letters, each a list', (all) => ofPairs(all, (name, value) => [name.toLowerCase(), [value]])],
    ['in capital letters', (all) => ofPairs(all, (name, value) => [name.toUpperCase(), ` ${value} `])],
    ['as pairs', (all) => Object.entries(all)],
    ['as a Map', (all) => new Map(Object.entries(all))],
    ['by turns', (all) => ['Host', 'example.com', ...Object.entries(all).flat()]],
    ['of Fetch', (all) => new Headers(all)],
    ['of a framework', (all) => ({ get: (name) => new Headers(all).get(name) ?? undefined })],
  ])('takes headers %s', async (_case, headersOf) => {
    expect(await verify(body, headersOf(signed(body, now, secret)), secret, { now })).toMatchObject({ id: 'msg_1' });
  });

  it('takes signatures that came in two headers', async () => {
    const [first = '', second = ''] = [next, secret].map((one) => new Webhook(one).sign('msg_1', now, body));
    for (const both of [[first, second], `${first}, ${second}`, `${first},${second}`, `${first} ${second}`]) {
      const headers = { ...signed(body, now, secret), 'webhook-signature': both };
      expect(await verify(body, headers, secret, { now })).toMatchObject({ id: 'msg_1' });
    }
  });

  it('takes either secret during a rotation', async () => {
    for (const signers of [[secret], [next], [secret, next], [next, secret]])
      expect(await verify(body, signed(body, now, ...signers), [secret, next], { now })).toMatchObject({ id: 'msg_1' });
    expect(await verify(body, signed(body, now, secret, next), next, { now })).toMatchObject({ id: 'msg_1' });
  });

  it.each([-299, 299])('takes a webhook that is %i seconds off', async (seconds) => {
    expect(await verify(body, signed(body, at(seconds), secret), secret, { now })).toMatchObject({ id: 'msg_1' });
  });

  it.each([-301, 301])('refuses a webhook that is %i seconds off', async (seconds) => {
    const refused = verify(body, signed(body, at(seconds), secret), secret, { now });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_webhook' });
  });

  it.each([
    ['another body', `${body} `, {}],
    ['another id', body, { 'Webhook-Id': 'msg_2' }],
    ['another time', body, { 'webhook-timestamp': String(at(1).getTime() / 1_000) }],
    ['another secret', body, { 'webhook-signature': new Webhook(next).sign('msg_1', now, body) }],
    [
      'another version',
      body,
      { 'webhook-signature': new Webhook(secret).sign('msg_1', now, body).replace('v1', 'v2') },
    ],
    ['no base64', body, { 'webhook-signature': 'v1,%%%' }],
    ['no signature', body, { 'webhook-signature': undefined }],
    ['a time that is no number', body, { 'webhook-timestamp': '' }],
  ])('refuses %s', async (_case, text, headers) => {
    const refused = verify(text, { ...signed(body, now, secret), ...headers }, secret, { now });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_webhook' });
  });
});
