import { errors } from 'undici';
import { TelnyxFailure } from './telnyx-api.js';
import { carrierCode, carrierStatus, outcomeOfError } from './telnyx-mapping.js';

const answered = (status: number, code?: string, retryAfter?: string) =>
  new TelnyxFailure(status, code === undefined ? {} : { errors: [{ code, title: 'No', detail: 'no' }] }, retryAfter);
const unanswered = (cause: unknown) => new TelnyxFailure(undefined, undefined, undefined, { cause });
const coded = (code: string) => Object.assign(new Error(code), { code });

describe('outcomeOfError', () => {
  it.each([
    [400, '40310', 40_310],
    [400, '40300', 40_300],
    [403, '40309', 40_309],
    [422, '10002', 10_002],
    [404, undefined, null],
    [409, '1', 1],
    [422, 'x', null],
  ])('maps HTTP %i with code %p to refused', (status, code, carrierError) => {
    expect(outcomeOfError(answered(status, code))).toEqual({ kind: 'refused', carrierError });
  });

  it.each([
    [429, '10011'],
    [429, undefined],
    [400, '40318'],
    [403, '40011'],
  ])('maps HTTP %i with code %p to unavailable', (status, code) => {
    expect(outcomeOfError(answered(status, code))).toMatchObject({ kind: 'unavailable' });
  });

  it.each([
    ['7', { retryAfterMs: 7_000 }],
    ['Wed, 21 Oct 2026 07:28:00 GMT', {}],
    ['-1', {}],
  ])('waits as long as Retry-After: %s wants', (header, wait) => {
    const outcome = outcomeOfError(answered(429, '10011', header));
    expect(outcome).toEqual({ kind: 'unavailable', cause: expect.any(TelnyxFailure), ...wait });
  });

  it.each([302, 408, 500, 502, 503, 504, 599])('maps HTTP %i to unknown, whatever its code', (status) => {
    for (const code of ['10007', '40310', '10009', undefined])
      expect(outcomeOfError(answered(status, code))).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    [401, '10009', 10_009],
    [401, undefined, null],
    [402, '20100', 20_100],
    [403, '10010', 10_010],
    [403, '20013', 20_013],
    [400, '40314', 40_314],
    [404, '10005', 10_005],
    [407, undefined, null],
  ])('maps HTTP %i with code %p to suspended', (httpStatus, code, carrierError) => {
    expect(outcomeOfError(answered(httpStatus, code))).toEqual({ kind: 'suspended', httpStatus, carrierError });
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
    'maps %s to unavailable, because nothing has left',
    (code) => {
      expect(outcomeOfError(unanswered(coded(code)))).toMatchObject({ kind: 'unavailable' });
    },
  );

  it('maps a connect timeout to unavailable', () => {
    expect(outcomeOfError(unanswered(new errors.ConnectTimeoutError()))).toMatchObject({ kind: 'unavailable' });
  });

  it.each([coded('ECONNRESET'), new errors.SocketError('other side closed'), new Error('No answer'), undefined])(
    'maps %p after the request may have left to unknown',
    (failure) => {
      expect(outcomeOfError(unanswered(failure))).toMatchObject({ kind: 'unknown' });
    },
  );

  it.each([new TypeError('bug'), 'text', null])('maps %p to unknown', (error) => {
    expect(outcomeOfError(error)).toMatchObject({ kind: 'unknown' });
  });
});

describe('carrierStatus', () => {
  it.each([
    ['queued', 'sent'],
    ['sending', 'sent'],
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'delivered'],
    ['delivery_failed', 'undelivered'],
    ['expired', 'undelivered'],
    ['sending_failed', 'failed'],
    ['delivery_unconfirmed', 'sent'],
    ['failed', 'undelivered'],
    ['gw_reject', 'failed'],
    ['gw_timeout', 'failed'],
    ['dlr_unconfirmed', 'sent'],
    ['dlr_timeout', 'sent'],
    ['something new', 'sent'],
  ])('maps %s to %s', (status, expected) => {
    expect(carrierStatus(status)).toBe(expected);
  });
});

describe('carrierCode', () => {
  it.each([
    ['40300', 40_300],
    [40_300, 40_300],
    ['', null],
    ['abc', null],
    ['-1', null],
    ['1.5', null],
    ['99999999999', null],
    [undefined, null],
    [null, null],
    [{}, null],
  ])('reads %p as %p', (code, expected) => {
    expect(carrierCode(code)).toBe(expected);
  });
});
