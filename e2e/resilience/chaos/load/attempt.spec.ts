import { Outages } from '../processes/outages.js';
import { verdictOf, type Attempt } from './attempt.js';

const attempt: Attempt = {
  what: 'send',
  server: 1,
  status: 200,
  reason: '',
  hasRetryAfter: false,
  fromMs: 10_000,
  toMs: 11_000,
};

describe('the verdict on an attempt', () => {
  let nowMs: number;
  let outages: Outages;
  const unavailable = (part: Parameters<Outages['begin']>[0], fromMs: number, untilMs: number) => {
    nowMs = fromMs;
    outages.begin(part);
    nowMs = untilMs;
    outages.end(part);
  };
  const kind = (given: Partial<Attempt>) => verdictOf({ ...attempt, ...given }, outages).kind;
  const isFault = (given: Partial<Attempt>) => kind(given) === 'fault';

  beforeEach(() => {
    outages = new Outages(() => nowMs);
  });

  it.each([200, 402, 409, 429])('finds no fault in %i', (status) => {
    expect(isFault({ status })).toBe(false);
  });

  it.each([0, 500, 502, 503])('finds a fault in %i when everything was available', (status) => {
    expect(isFault({ status, hasRetryAfter: status !== 503 })).toBe(true);
  });

  it('finds 503 with Retry-After busy when everything was available', () => {
    expect(kind({ status: 503, hasRetryAfter: true })).toBe('busy');
  });

  it.each([0, 500, 503])('excuses %i by the stop of the server that was asked, and of no other one', (status) => {
    unavailable('server-0', 9_000, 12_000);
    expect(isFault({ status })).toBe(true);
    unavailable('server-1', 10_500, 12_000);
    expect(isFault({ status })).toBe(false);
  });

  it('excuses 503 with Retry-After while Postgres is unavailable and shortly after, and nothing else', () => {
    unavailable('postgres', 7_000, 9_000);
    expect(isFault({ status: 503, hasRetryAfter: true })).toBe(false);
    expect(isFault({ status: 503 })).toBe(true);
    expect(isFault({ status: 500, hasRetryAfter: true })).toBe(true);
    expect(isFault({ status: 0 })).toBe(true);
  });

  it('does not excuse a failure by an outage that ended long before', () => {
    unavailable('postgres', 1_000, 2_000);
    expect(kind({ status: 503, hasRetryAfter: true })).toBe('busy');
    unavailable('stripe', 1_000, 2_000);
    expect(isFault({ what: 'checkout', status: 502 })).toBe(true);
  });

  it('excuses 502 of a checkout alone, while Stripe misbehaves', () => {
    unavailable('stripe', 9_000, 12_000);
    expect(isFault({ what: 'checkout', status: 502 })).toBe(false);
    expect(isFault({ status: 502 })).toBe(true);
  });

  it('distinguishes a request that was never sent from one whose answer was lost', () => {
    unavailable('server-1', 9_000, 12_000);
    const text = (reason: string) => verdictOf({ ...attempt, status: 0, reason }, outages).text;
    expect(text('ECONNREFUSED connect ECONNREFUSED')).toBe('not connected: its server was stopped');
    expect(text('UND_ERR_SOCKET other side closed')).toBe('answer lost: its server was stopped');
  });
});
