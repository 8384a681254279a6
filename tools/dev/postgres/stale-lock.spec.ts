import { isServerOf, pidOf } from './stale-lock.js';

describe('pidOf', () => {
  it('reads the first line of postmaster.pid', () => {
    expect(pidOf('4711\n/data\n1700000000\n54329\n')).toBe(4711);
  });

  it.each([undefined, '', 'abc\n', '0\n', '-5\n', '1\n'])('takes %p for no process of ours', (content) => {
    expect(pidOf(content)).toBeUndefined();
  });
});

describe('isServerOf', () => {
  it('knows a Postgres by its program and its data', () => {
    expect(isServerOf('/x/bin/postgres -D /repo/.data/postgres/data -p 1', '/repo/.data/postgres/data')).toBe(true);
    expect(isServerOf('/x/bin/postgres -D /other/data', '/repo/.data/postgres/data')).toBe(false);
    expect(isServerOf('vim /repo/.data/postgres/data', '/repo/.data/postgres/data')).toBe(false);
    expect(isServerOf(undefined, '/repo')).toBe(false);
  });
});
