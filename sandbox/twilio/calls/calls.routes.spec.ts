import { TestSandbox, until } from '../../testing/test-sandbox.js';
import { call, callPage, callProgress, describeIssues } from '../../testing/twilio-tables.js';

const sandbox = new TestSandbox();
const from = '+15005550006';
const to = '+14155552671';
const twiml =
  '<Response><Say language="en-US">Your code is 1, 2, 3.</Say><Pause length="1"/><Say>Bye.</Say></Response>';
const events = ['initiated', 'ringing', 'answered', 'completed'];

beforeAll(() => sandbox.start());
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

const url = () => `${sandbox.product.url}/webhooks/twilio/call`;
const calls = () => sandbox.sdk().calls;
const placed = (more: object = {}) =>
  calls().create({ to, from, twiml, statusCallback: url(), statusCallbackEvent: events, ...more });
const fault = (mode: string, more: object = {}) =>
  sandbox.post('/_control/faults', { service: 'voice', mode, ...more });
const statusOf = async (sid: string) => (await calls()(sid).fetch()).status;
const ended = async (sid: string, status: string) => until(status, async () => (await statusOf(sid)) === status);
/** Callbacks of one call: those of an earlier test may still be under way. */
const postsOf = (sid: string) => sandbox.product.posts.filter(({ fields }) => fields['CallSid'] === sid);
const posted = (sid: string) => postsOf(sid).map(({ fields }) => fields['CallStatus']);

/** A call as it goes over the wire: the SDK would hide unknown fields. */
async function raw(path: string, form?: [string, string][]) {
  const { accountSid, authToken } = sandbox.credentials;
  const answer = await fetch(`${sandbox.url}/2010-04-01/Accounts/${accountSid}/${path}`, {
    method: form === undefined ? 'GET' : 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

describe('the Call resource matches the schema that Twilio publishes', () => {
  it('after creation, in its final state and in lists', async () => {
    const made = await raw('Calls.json', [
      ['To', to],
      ['From', from],
      ['Twiml', twiml],
    ]);
    expect([made.status, describeIssues('call', call, made.json)]).toEqual([201, []]);
    expect(made.json).toMatchObject({
      status: 'queued',
      direction: 'outbound-api',
      to_formatted: '(415) 555-2671',
      answered_by: null,
      duration: null,
      start_time: null,
    });
    const sid = String(made.json['sid']);
    await ended(sid, 'completed');
    const { json } = await raw(`Calls/${sid}.json`);
    expect(describeIssues('call', call, json)).toEqual([]);
    expect(json).toMatchObject({ status: 'completed', duration: '1' });
    const list = await raw('Calls.json?PageSize=1');
    expect(describeIssues('page', callPage, list.json)).toEqual([]);
    expect((await raw(`Calls/CA${'0'.repeat(32)}.json`)).status).toBe(404);
  });
});

describe('a call', () => {
  it('rings, is answered, spoken to and completes, with a signed callback for each event', async () => {
    const { sid } = await placed({ machineDetection: 'Enable' });
    await until('all callbacks have arrived', () => postsOf(sid).length === 4);
    for (const { fields, isSigned, path } of postsOf(sid)) {
      expect([path, isSigned, describeIssues('callback', callProgress, fields)]).toEqual([
        '/webhooks/twilio/call',
        true,
        [],
      ]);
      expect(fields).toMatchObject({ CallSid: sid, To: to, From: from, Direction: 'outbound-api' });
    }
    expect(posted(sid)).toEqual(['initiated', 'ringing', 'in-progress', 'completed']);
    expect(postsOf(sid).map(({ fields }) => fields['SequenceNumber'])).toEqual(['0', '1', '2', '3']);
    expect(postsOf(sid)[0]?.fields).not.toHaveProperty('CallDuration');
    expect(postsOf(sid)[3]?.fields).toMatchObject({
      CallDuration: '1',
      Duration: '1',
      SipResponseCode: '200',
      AnsweredBy: 'human',
    });
    expect(await calls()(sid).fetch()).toMatchObject({ answeredBy: 'human', duration: '1' });
  });

  it('posts the end alone unless other events are wanted, and counts the others', async () => {
    const { sid } = await placed({ statusCallbackEvent: undefined });
    await until('a callback has arrived', () => postsOf(sid).length > 0);
    expect(postsOf(sid)).toMatchObject([{ fields: { CallStatus: 'completed', SequenceNumber: '3' } }]);
    expect(postsOf(sid)[0]?.fields).not.toHaveProperty('AnsweredBy');
  });

  it('posts callbacks by GET on request', async () => {
    await placed({ statusCallbackMethod: 'GET', statusCallbackEvent: ['completed'] });
    const isGet = ({ path }: { path: string }) => path.includes('CallStatus=');
    await until('the callback has arrived', () => sandbox.product.posts.some(isGet));
    const post = sandbox.product.posts.find(isGet);
    expect([post?.isSigned, post?.body]).toEqual([true, '']);
    expect(new URLSearchParams(post?.path.split('?')[1]).get('CallStatus')).toBe('completed');
  });

  it('tells a machine apart', async () => {
    await fault('machine');
    const { sid } = await placed({ machineDetection: 'Enable' });
    await ended(sid, 'completed');
    expect(await calls()(sid).fetch()).toMatchObject({ answeredBy: 'machine_start' });
    const { sid: second } = await placed({ machineDetection: 'DetectMessageEnd' });
    await ended(second, 'completed');
    expect(await calls()(second).fetch()).toMatchObject({ answeredBy: 'machine_end_beep' });
  });

  it.each([
    ['busy', ['initiated', 'busy'], '486'],
    ['failed', ['initiated', 'failed'], '404'],
    ['no-answer', ['initiated', 'ringing', 'no-answer'], '480'],
  ])('ends as %s by the fault', async (mode, expected, sip) => {
    await fault(mode, { delayMs: 30 });
    const { sid } = await placed();
    await ended(sid, mode);
    await until('the callbacks have arrived', () => posted(sid).length === expected.length);
    expect(posted(sid)).toEqual(expected);
    expect(postsOf(sid).at(-1)?.fields).toMatchObject({ SipResponseCode: sip, CallDuration: '0' });
    expect(await calls()(sid).fetch()).toMatchObject({ duration: '0' });
  });

  it('rings out after its timeout', async () => {
    await fault('no-answer');
    const startedAt = performance.now();
    const { sid } = await placed({ timeout: 1 });
    await ended(sid, 'no-answer');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it('fails for malformed TwiML', async () => {
    const { sid } = await placed({ twiml: '<Response><Say>Hello</Response>' });
    await ended(sid, 'failed');
    expect(await sandbox.get(`/_control/calls/${sid}`)).toMatchObject({
      problem: '12100: Document parse failure: 1:31: unexpected close tag.',
      spoken: '',
    });
  });

  it('can be canceled while it rings, and not after its end', async () => {
    await fault('no-answer');
    const { sid } = await placed();
    await ended(sid, 'ringing');
    expect(await calls()(sid).update({ status: 'canceled' })).toMatchObject({ status: 'canceled' });
    await expect(calls()(sid).update({ status: 'completed' })).rejects.toMatchObject({ status: 400, code: 21220 });
    await until('the callback has arrived', () => posted(sid).includes('canceled'));
  });
});

describe('placing a call', () => {
  it.each([
    [{ to: '' }, 21201],
    [{ from: '' }, 21213],
    [{ from: 'Pennytext' }, 21212],
    [{ to: '12' }, 21211],
    [{ twiml: '' }, 21205],
    [{ twiml: `<Response><Say>${'x'.repeat(4_000)}</Say></Response>` }, 20001],
    [{ statusCallback: 'nowhere' }, 21609],
    [{ statusCallbackEvent: ['vanished'] }, 21626],
    [{ timeout: 0 }, 20001],
    [{ timeout: 601 }, 20001],
    [{ machineDetection: 'Maybe' }, 20001],
    // Twilio's magic numbers.
    [{ from: '+15005550001' }, 21212],
    [{ to: '+15005550001' }, 21217],
    [{ to: '+15005550002' }, 21214],
    [{ to: '+15005550003' }, 21215],
    [{ to: '+15005550004' }, 21216],
  ])('refuses %j', async (more, code) => {
    await expect(placed(more)).rejects.toMatchObject({ status: 400, code });
    expect(await sandbox.get('/_control/calls')).toEqual([]);
  });

  it('refuses a number for sale that the product does not have', async () => {
    const [offer] = await sandbox.sdk().availablePhoneNumbers('US').local.list({ limit: 1 });
    const phoneNumber = offer?.phoneNumber ?? '';
    await expect(placed({ from: phoneNumber })).rejects.toMatchObject({ status: 400, code: 21210 });
    await sandbox.sdk().incomingPhoneNumbers.create({ phoneNumber });
    await expect(placed({ from: phoneNumber })).resolves.toMatchObject({ from: phoneNumber });
  });

  it.each([
    ['429', 429, 20429],
    ['500', 500, 20500],
    ['refuse', 400, 21215],
    ['suspended', 401, 20003],
  ])('%s refuses a call, and leaves SMS alone', async (mode, status, code) => {
    await fault(mode, { count: 1 });
    await sandbox.sdk().messages.create({ to, from, body: 'Hello' });
    await expect(placed()).rejects.toMatchObject({ status, code });
    await expect(placed()).resolves.toMatchObject({ status: 'queued' });
  });

  it('accepted-then-5xx and lost-answer place the call', async () => {
    await fault('accepted-then-5xx', { count: 1 });
    await expect(placed()).rejects.toMatchObject({ status: 504 });
    await fault('lost-answer', { count: 1 });
    await expect(placed()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await sandbox.get('/_control/calls')).toHaveLength(2);
  });

  it('timeout places nothing', async () => {
    await fault('timeout', { count: 1 });
    await expect(sandbox.sdk({ timeoutMs: 150 }).calls.create({ to, from, twiml })).rejects.toThrow('timeout');
    expect(await sandbox.get('/_control/calls')).toEqual([]);
  });

  it('stuck takes a call that never moves', async () => {
    await fault('stuck', { count: 1 });
    const { sid } = await placed();
    const { sid: next } = await placed({ statusCallback: undefined });
    await ended(next, 'completed');
    expect([await statusOf(sid), posted(sid)]).toEqual(['queued', []]);
  });

  it.each([
    ['no-callback', []],
    ['duplicate-callback', ['completed', 'completed']],
    ['fake-callback', ['failed', 'completed']],
  ])('%s results in the callbacks %j', async (mode, expected) => {
    await fault(mode, { count: 1 });
    const { sid } = await placed({ statusCallbackEvent: ['completed'] });
    await ended(sid, 'completed');
    const { sid: later } = await placed({ statusCallbackEvent: ['completed'] });
    await until('the callbacks of a later call have arrived', () => posted(later).length === 1);
    expect(posted(sid)).toEqual(expected);
    expect(postsOf(sid).filter(({ isSigned }) => !isSigned)).toHaveLength(mode === 'fake-callback' ? 1 : 0);
  });

  it('meets the fault of one recipient alone', async () => {
    await fault('busy', { to });
    const other = await placed({ to: '+442071838750' });
    const { sid } = await placed();
    await ended(sid, 'busy');
    await ended(other.sid, 'completed');
  });
});

describe('the list of calls', () => {
  it('is filtered by recipient, sender, status and start, newest first', async () => {
    const first = await placed();
    const second = await placed({ to: '+442071838750', from: '+15005550100' });
    await ended(first.sid, 'completed');
    await ended(second.sid, 'completed');
    const sids = async (query: object) => (await calls().list(query)).map(({ sid }) => sid);
    expect(await sids({})).toEqual([second.sid, first.sid]);
    expect(await sids({ to })).toEqual([first.sid]);
    expect(await sids({ from: '+15005550100' })).toEqual([second.sid]);
    expect(await sids({ status: 'busy' })).toEqual([]);
    const today = new Date(new Date().toISOString().slice(0, 10));
    expect(await sids({ to, startTimeAfter: today })).toEqual([first.sid]);
    expect(await sids({ startTimeAfter: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await sids({ startTimeBefore: new Date(Date.now() - 60_000) })).toEqual([]);
    expect((await raw(`Calls.json?To=${to}&StartTime>=2020-01-01`)).json).toMatchObject({
      calls: [{ sid: first.sid }],
    });
    expect((await raw('Calls.json?Status=asleep')).json).toMatchObject({ code: 20001 });
  });

  it('has pages', async () => {
    const made = [await placed(), await placed(), await placed()];
    const found = await calls().list({ pageSize: 2 });
    expect(found.map(({ sid }) => sid)).toEqual(made.map(({ sid }) => sid).reverse());
  });
});
