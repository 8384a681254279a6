import { TestSandbox, until } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const from = '+15005550006';
const to = '+14155552671';
const twiml = '<Response><Say language="de-DE">Ihr Code: 1, 2.</Say><Say>Bye.</Say></Response>';

beforeAll(() => sandbox.start());
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

interface SeenCall {
  readonly sid: string;
  readonly status: string;
  readonly spoken: string;
}

const place = (more: object = {}) => sandbox.sdk().calls.create({ to, from, twiml, ...more });
const seen = (query = '') => sandbox.get<SeenCall[]>(`/_control/calls${query}`);
const one = (sid: string) => sandbox.get<SeenCall>(`/_control/calls/${sid}`);
const act = (sid: string, what: string, body: object = {}) => sandbox.post(`/_control/calls/${sid}/${what}`, body);
const reaches = (sid: string, status: string) => until(status, async () => (await one(sid)).status === status);
const byHand = (answers = 'by-hand') => sandbox.post(`/_control/phones/${to}`, { answers });

describe('GET /_control/calls', () => {
  it('lists calls with what was spoken, oldest first', async () => {
    const { sid } = await place({ timeout: 20 });
    const second = await place({ to: '+442071838750' });
    await reaches(sid, 'completed');
    await reaches(second.sid, 'completed');
    expect(await seen(`?to=${to}`)).toEqual([
      {
        sid,
        to,
        from,
        status: 'completed',
        spoken: 'Ihr Code: 1, 2. Bye.',
        sentences: [
          { text: 'Ihr Code: 1, 2.', language: 'de-DE', voice: 'man' },
          { text: 'Bye.', language: 'en-US', voice: 'man' },
        ],
        answeredBy: 'human',
        detected: null,
        sipResponseCode: 200,
        twiml,
        problem: null,
        timeoutSeconds: 20,
        statusCallback: null,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        answeredAt: expect.stringMatching(/^\d{4}-.*Z$/),
        endedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        durationSeconds: 1,
      },
    ]);
    expect((await seen()).map((call) => call.sid)).toEqual([sid, second.sid]);
    expect((await seen(`?after=${sid}`)).map((call) => call.sid)).toEqual([second.sid]);
    expect((await seen('?limit=1&status=completed')).map((call) => call.sid)).toEqual([sid]);
    expect(await seen('?status=busy')).toEqual([]);
  });

  it.each([
    ['?status=asleep', 'status: must be one of'],
    ['?after=CA1', 'after: there is no call CA1'],
  ])('rejects %s', async (query, message) => {
    const answer = await fetch(`${sandbox.url}/_control/calls${query}`);
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.stringContaining(message) }]);
  });

  it('answers 404 for an unknown call', async () => {
    expect((await fetch(`${sandbox.url}/_control/calls/CA1`)).status).toBe(404);
    expect((await act('CA1', 'answer')).status).toBe(404);
  });
});

describe('a phone that answers by hand', () => {
  it('lets a call ring until it is answered, and hears it', async () => {
    expect(await sandbox.get(`/_control/phones/${to}`)).toEqual({ number: to, answers: 'automatically' });
    expect((await byHand()).json).toEqual({ number: to, answers: 'by-hand' });
    const { sid } = await place();
    await reaches(sid, 'ringing');
    const other = await place({ to: '+442071838750' });
    await reaches(other.sid, 'completed');
    expect(await one(sid)).toMatchObject({ status: 'ringing', spoken: '' });
    expect((await act(sid, 'answer')).json).toMatchObject({ status: 'in-progress', answeredBy: 'human' });
    await until('the first sentence is spoken', async () => (await one(sid)).spoken.startsWith('Ihr Code'));
    await reaches(sid, 'completed');
    expect((await act(sid, 'answer')).status).toBe(409);
  });

  it('declines a call, which is busy then', async () => {
    await byHand();
    const { sid } = await place();
    expect((await act(sid, 'decline')).status).toBe(409);
    await reaches(sid, 'ringing');
    expect((await act(sid, 'decline')).json).toMatchObject({ status: 'busy', sipResponseCode: 486 });
    expect((await act(sid, 'hang-up')).status).toBe(409);
  });

  it('misses a call that rings out', async () => {
    await byHand();
    const { sid } = await place({ timeout: 1 });
    await reaches(sid, 'no-answer');
    expect(await one(sid)).toMatchObject({ answeredAt: null, durationSeconds: 0 });
  });

  it('answers automatically again when it is set to, and after a reset', async () => {
    await byHand();
    await byHand('automatically');
    await reaches((await place()).sid, 'completed');
    await byHand();
    await sandbox.post('/_control/reset', {});
    expect(await sandbox.get(`/_control/phones/${to}`)).toMatchObject({ answers: 'automatically' });
  });

  it.each([
    ['12', { answers: 'by-hand' }, 'number: is not a phone number'],
    [to, { answers: 'never' }, 'answers: must be one of'],
    [to, {}, 'answers: must be one of'],
  ])('is refused for %s %j', async (number, body, message) => {
    const { status, json } = await sandbox.post(`/_control/phones/${number}`, body);
    expect([status, json['error']]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('calls that take their time', () => {
  const slow = new TestSandbox();
  const talkMs = 600;

  beforeAll(() => slow.start({ SANDBOX_CALL_RING_MS: '400', SANDBOX_CALL_TALK_MS: String(talkMs) }));
  afterAll(() => slow.stop());

  const placeSlow = (more: object = {}) => slow.sdk().calls.create({ to, from, twiml, ...more });
  const slowCall = (sid: string) => slow.get<SeenCall>(`/_control/calls/${sid}`);
  const slowReaches = (sid: string, status: string) =>
    until(status, async () => (await slowCall(sid)).status === status);

  it('are answered by a machine, and end when the phone hangs up', async () => {
    await slow.post(`/_control/phones/${to}`, { answers: 'by-hand' });
    const { sid } = await placeSlow({ machineDetection: 'Enable' });
    await slowReaches(sid, 'ringing');
    const { json } = await slow.post(`/_control/calls/${sid}/answer`, { by: 'machine' });
    expect(json).toMatchObject({ answeredBy: 'machine', detected: 'machine_start' });
    const { json: ended } = await slow.post(`/_control/calls/${sid}/hang-up`, {});
    expect(ended).toMatchObject({ status: 'completed', spoken: '' });
    // A call that is placed now ends after the other would have been spoken.
    const { sid: later } = await placeSlow({ to: '+442071838750' });
    await slowReaches(later, 'completed');
    expect(await slowCall(sid)).toEqual(ended);
  });

  it('never ring once the product has canceled them', async () => {
    const { sid } = await placeSlow({ to: '+442071838750' });
    await slow.sdk().calls(sid).update({ status: 'canceled' });
    const { sid: later } = await placeSlow({ to: '+442071838750' });
    await slowReaches(later, 'ringing');
    expect((await slowCall(sid)).status).toBe('canceled');
  });
});
