import { TestSandbox, until } from '../testing/test-sandbox.js';
import {
  describeIssues,
  error,
  inboundMessage,
  message,
  messagePage,
  statusCallback,
} from '../testing/twilio-tables.js';

const sandbox = new TestSandbox();
const sender = '+15005550006';
const recipient = '+14155552671';
const service = `MG${'0'.repeat(32)}`;

beforeAll(() => sandbox.start());
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
});
afterAll(() => sandbox.stop());

/** A call as it goes over the wire: the SDK would hide unknown fields. */
async function raw(path: string, form?: Record<string, string>, token = sandbox.credentials.authToken) {
  const { accountSid } = sandbox.credentials;
  const answer = await fetch(`${sandbox.url}/2010-04-01/Accounts/${accountSid}/${path}`, {
    method: form === undefined ? 'GET' : 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}` },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const ended = (sid: unknown) => async () => {
  const { status } = (await raw(`Messages/${String(sid)}.json`)).json;
  return status === 'delivered' || status === 'undelivered';
};

describe('the Message resource matches the schema that Twilio publishes', () => {
  it.each([
    ['from a number', { From: sender }, 'none'],
    ['from a messaging service', { MessagingServiceSid: service }, 'none'],
    ['not delivered', { From: sender }, 'undelivered'],
  ])('%s, after creation and in its final state', async (_what, from, mode) => {
    await sandbox.post('/_control/faults', { service: 'twilio', mode });
    const made = await raw('Messages.json', { To: recipient, Body: 'Ünï "quoted" \n €', ...from });
    expect([made.status, describeIssues('message', message, made.json)]).toEqual([201, []]);
    await until('the message has its final status', ended(made.json['sid']));
    const { json } = await raw(`Messages/${String(made.json['sid'])}.json`);
    expect(describeIssues('message', message, json)).toEqual([]);
  });

  it('in every page of a list, including replies', async () => {
    for (let n = 0; n < 3; n++) await raw('Messages.json', { To: recipient, From: sender, Body: `number ${n}` });
    await sandbox.post('/_control/inbound', { from: recipient, to: sender, body: 'Hello back' });
    const paths = [`Messages.json?To=%2B14155552671&PageSize=2`, 'Messages.json?PageSize=2&Page=1', 'Messages.json'];
    for (const path of paths) {
      const { json } = await raw(path);
      expect(describeIssues('page', messagePage, json)).toEqual([]);
      expect(json['messages']).not.toEqual([]);
    }
  });
});

describe('every error has the four documented fields', () => {
  it.each([
    ['a missing field', {}, 'sandbox-auth-token', 400],
    ['a wrong token', {}, 'wrong', 401],
    ['an unknown service', { To: recipient, Body: 'x', MessagingServiceSid: 'MG1' }, 'sandbox-auth-token', 404],
  ])('%s', async (_what, form, token, status) => {
    const answer = await raw('Messages.json', form, token);
    expect([answer.status, answer.json['status']]).toEqual([status, status]);
    expect(describeIssues('error', error, answer.json)).toEqual([]);
  });

  it.each(['429', '500', 'refuse'])('the fault %s', async (mode) => {
    await sandbox.post('/_control/faults', { service: 'twilio', mode, count: 1 });
    const { json } = await raw('Messages.json', { To: recipient, From: sender, Body: 'x' });
    expect(describeIssues('error', error, json)).toEqual([]);
  });

  it('a message that does not exist', async () => {
    const { status, json } = await raw(`Messages/SM${'0'.repeat(32)}.json`);
    expect([status, describeIssues('error', error, json)]).toEqual([404, []]);
  });
});

describe('requests to the product have the documented fields', () => {
  it.each(['none', 'undelivered'])('status callbacks, with the fault %s', async (mode) => {
    await sandbox.post('/_control/faults', { service: 'twilio', mode });
    const StatusCallback = `${sandbox.product.url}/webhooks/twilio/status`;
    for (const from of [{ From: sender }, { MessagingServiceSid: service }]) {
      await raw('Messages.json', { To: recipient, Body: 'x', StatusCallback, ...from });
    }
    await until('all callbacks have arrived', () => sandbox.product.posts.length === 4);
    for (const { fields } of sandbox.product.posts) {
      expect(describeIssues('callback', statusCallback, fields)).toEqual([]);
    }
  });

  it.each([
    ['a reply from the USA', '+14155552671'],
    ['a reply from an unlisted country', '+819012345678'],
  ])('%s', async (_what, from) => {
    await sandbox.post('/_control/inbound', { from, to: sender, body: 'Größe & 🎉' });
    const [post] = sandbox.product.posts;
    expect([post?.contentType, post?.isSigned]).toEqual(['application/x-www-form-urlencoded; charset=utf-8', true]);
    expect(describeIssues('inbound', inboundMessage, post?.fields)).toEqual([]);
  });
});
