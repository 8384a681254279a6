import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { isConnectionLoss, isDatabaseUnavailable, isRetryable, sqlState, retryUndone } from './database-error.js';

const coded = (code: unknown) => Object.assign(new Error('x'), { code });

describe('sqlState', () => {
  it.each(['23505', '40P01', '08006', '57P01', 'XX000'])('returns %s of an error from Postgres', (code) => {
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
  ])('returns undefined for other errors: %p', (error) => {
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
  ])('returns for %s: %p', (code, expected) => {
    expect(isRetryable(coded(code))).toBe(expected);
  });
});

describe('isConnectionLoss', () => {
  it.each(['08000', '08006', '57P01', '57P03', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])(
    'returns true for %s',
    (code) => {
      expect(isConnectionLoss(coded(code))).toBe(true);
    },
  );

  it.each(['23505', '22021', '22003', '42P01', '40P01', '57014'])('returns false for %s', (code) => {
    expect(isConnectionLoss(coded(code))).toBe(false);
  });

  it('returns true when a connection ended without an error code', () => {
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
    new Error('failure on connection marked as essential: 10.0.0.6:5432'),
    new Error(
      'connection to the remote node pennytext@10.0.0.6:5432 failed with the following error: Connection refused',
    ),
    new QueryRunnerAlreadyReleasedError(),
    new QueryRunnerProviderAlreadyReleasedError(),
    Object.assign(new Error('wrapped'), { driverError: coded('57P01') }),
  ])('returns true for %p', (error) => {
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
  ])('returns false for %p', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

const failure = (code: string) => Object.assign(new Error('refused'), { code });

describe('retryUndone', () => {
  it.each(['40P01', '40001'])('retries after %s', async (code) => {
    const errors = [failure(code), failure(code)];
    const run = jest.fn(async () => {
      const error = errors.pop();
      if (error) throw error;
      return 'done';
    });
    expect(await retryUndone(run)).toBe('done');
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('throws after the maximum number of attempts', async () => {
    const run = jest.fn(() => Promise.reject(failure('40P01')));
    await expect(retryUndone(run, 4)).rejects.toMatchObject({ code: '40P01' });
    expect(run).toHaveBeenCalledTimes(4);
  });

  it('throws any other error without a retry', async () => {
    const run = jest.fn(() => Promise.reject(failure('23505')));
    await expect(retryUndone(run)).rejects.toMatchObject({ code: '23505' });
    expect(run).toHaveBeenCalledTimes(1);
  });
});
