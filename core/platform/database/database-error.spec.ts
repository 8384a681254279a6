import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { isConnectionLoss, isDatabaseUnavailable, isRetryable, sqlState } from './database-error.js';

const coded = (code: unknown) => Object.assign(new Error('x'), { code });

describe('sqlState', () => {
  it.each(['23505', '40P01', '08006', '57P01', 'XX000'])('is %s of an error that Postgres answered', (code) => {
    expect(sqlState(coded(code))).toBe(code);
  });

  it.each([
    [coded('ECONNREFUSED')],
    [coded('EPIPE')],
    [coded('ERROR')],
    [coded(23505)],
    [coded('2350')],
    [new Error('x')],
    ['23505'],
    [null],
    [undefined],
  ])('is none of what Postgres did not answer: %p', (error) => {
    expect(sqlState(error)).toBeUndefined();
  });
});

describe('isRetryable', () => {
  it.each([
    ['40P01', true],
    ['40001', true],
    ['23505', false],
    ['57P01', false],
    ['ECONNRESET', false],
  ])('of %s is %p', (code, expected) => {
    expect(isRetryable(coded(code))).toBe(expected);
  });
});

describe('isConnectionLoss', () => {
  it.each(['08000', '08006', '57P01', '57P03', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])(
    'is true of %s',
    (code) => {
      expect(isConnectionLoss(coded(code))).toBe(true);
    },
  );

  it.each(['23505', '22021', '22003', '42P01', '40P01', '57014'])('is false of %s', (code) => {
    expect(isConnectionLoss(coded(code))).toBe(false);
  });

  it('is true of a connection that ended without an error', () => {
    expect(isConnectionLoss(new Error('Connection terminated unexpectedly'))).toBe(true);
  });
});

describe('isDatabaseUnavailable', () => {
  it.each([
    coded('ECONNREFUSED'),
    coded('ECONNRESET'),
    coded('57P01'),
    coded('08006'),
    coded('53300'),
    coded('25006'),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('Client has encountered a connection error and is not queryable'),
    new QueryRunnerAlreadyReleasedError(),
    new QueryRunnerProviderAlreadyReleasedError(),
    Object.assign(new Error('wrapped'), { driverError: coded('57P01') }),
  ])('is true of %p', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each([
    coded('23505'),
    coded('42P01'),
    new Error('x'),
    new TypeError('y'),
    coded('ENOENT'),
    undefined,
    null,
    'ECONNREFUSED',
  ])('is false of %p', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
