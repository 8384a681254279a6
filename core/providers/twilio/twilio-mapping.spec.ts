import twilio from 'twilio';
import { errors } from 'undici';
import { outcomeOfError } from './twilio-mapping.js';

const rest = (status: number, code?: number) =>
  new twilio.RestException({ statusCode: status, body: { message: 'no', ...(code !== undefined && { code }) } });
const coded = (code: string) => Object.assign(new Error(code), { code });

describe('outcomeOfError', () => {
  it.each([
    [400, 21_211, 21_211],
    [400, 21_610, 21_610],
    [403, 21_408, 21_408],
    [403, 63_001, 63_001],
    [404, undefined, null],
    [404, 21_701, 21_701],
    [409, 1, 1],
  ])('maps HTTP %i with code %p to refused', (status, code, carrierError) => {
    expect(outcomeOfError(rest(status, code))).toMatchObject({ kind: 'refused', carrierError });
  });

  it('maps HTTP 429 to unavailable', () => {
    expect(outcomeOfError(rest(429, 20_429))).toMatchObject({ kind: 'unavailable' });
  });

  it.each([302, 408, 500, 502, 503, 504, 599])('maps HTTP %i to unknown', (status) => {
    expect(outcomeOfError(rest(status, 20_500))).toMatchObject({ kind: 'unknown' });
    expect(outcomeOfError(rest(status))).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    [401, 20_003],
    [401, undefined],
    [403, undefined],
    [403, 20_005],
    [400, 20_003],
    [404, 20_404],
    [407, undefined],
  ])('maps HTTP %i with code %p to suspended', (httpStatus, code) => {
    expect(outcomeOfError(rest(httpStatus, code))).toEqual({
      kind: 'suspended',
      httpStatus,
      carrierError: code ?? null,
    });
  });

  it('maps the error of an RFC 9457 body by its status and code', () => {
    const problem = (status: number, code: number) => Object.assign(new Error('Problem'), { status, code });
    expect(outcomeOfError(problem(400, 21_211))).toEqual({ kind: 'refused', carrierError: 21_211 });
    expect(outcomeOfError(problem(503, 20_503))).toMatchObject({ kind: 'unknown' });
    expect(outcomeOfError(problem(403, 0))).toEqual({ kind: 'suspended', httpStatus: 403, carrierError: null });
  });

  it.each([
    coded('ECONNREFUSED'),
    coded('ENOTFOUND'),
    coded('EAI_AGAIN'),
    new errors.ConnectTimeoutError(),
    new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]),
  ])('maps a failure before the connection to unavailable: %p', (error) => {
    expect(outcomeOfError(error)).toMatchObject({ kind: 'unavailable', cause: error });
  });

  it.each([
    new errors.HeadersTimeoutError(),
    new errors.BodyTimeoutError(),
    new errors.SocketError('other side closed'),
    coded('ECONNRESET'),
    coded('EPIPE'),
    coded('ETIMEDOUT'),
    new AggregateError([]),
    new Error('anything'),
    'a text',
    undefined,
  ])('maps a failure after the request may have left to unknown: %p', (error) => {
    expect(outcomeOfError(error)).toEqual({ kind: 'unknown', cause: error });
  });
});
