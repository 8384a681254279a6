import { retryUndone } from './retry-undone.js';

const failure = (code: string) => Object.assign(new Error('refused'), { code });

describe('a transaction that Postgres rolled back', () => {
  it.each(['40P01', '40001'])('is run again after %s', async (code) => {
    const errors = [failure(code), failure(code)];
    const run = jest.fn(async () => {
      const error = errors.pop();
      if (error) throw error;
      return 'done';
    });
    expect(await retryUndone(run)).toBe('done');
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('fails after the maximum number of attempts', async () => {
    const run = jest.fn(() => Promise.reject(failure('40P01')));
    await expect(retryUndone(run, 4)).rejects.toMatchObject({ code: '40P01' });
    expect(run).toHaveBeenCalledTimes(4);
  });

  it('is not run again after another fault', async () => {
    const run = jest.fn(() => Promise.reject(failure('23505')));
    await expect(retryUndone(run)).rejects.toMatchObject({ code: '23505' });
    expect(run).toHaveBeenCalledTimes(1);
  });
});
