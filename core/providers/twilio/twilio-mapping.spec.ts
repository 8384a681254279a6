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
    [401, 20_003, 20_003],
    [403, undefined, null],
    [404, undefined, null],
    [409, 1, 1],
  ])('maps HTTP %i with code %p to refused', (status, code, carrierError) => {
    expect(outcomeOfError(rest(status, code))).toMatchObject({ kind: 'refused', carrierError });
  });

  it.each([429, 500, 502, 503, 504])('maps HTTP %i to unavailable', (status) => {
    expect(outcomeOfError(rest(status, 20_429))).toMatchObject({ kind: 'unavailable' });
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
