import { isServerOf, pidOf, refusalLine } from './postgres.js';

const url = 'postgres://user:secret@db.example:5433/pennytext';

describe('refusalLine', () => {
  it.each([
    ['ECONNREFUSED', 'nothing listens there'],
    ['ENOTFOUND', 'the host name is not known'],
    ['28P01', 'the password is wrong'],
    ['3D000', 'the database does not exist'],
  ])('names the host and what %s means', (code, reason) => {
    const line = refusalLine(url, { code, message: 'x' });
    expect(line).toContain('pennytext at db.example:5433');
    expect(line).toContain(reason);
  });

  it('recognizes a timeout by its message, as pg gives it no code', () => {
    expect(refusalLine(url, { message: 'timeout expired' })).toContain('no answer');
  });

  it('is one line and does not show the password', () => {
    expect(refusalLine(url, { message: 'odd\nstack' })).not.toMatch(/\n|secret/);
  });
});

describe('pidOf', () => {
  it('reads the first line of postmaster.pid', () => {
    expect(pidOf('4711\n/data\n1700000000\n54329\n')).toBe(4711);
  });

  it.each(['', 'abc\n', '0\n', '-5\n', '1\n'])('finds no process in %p', (content) => {
    expect(pidOf(content)).toBeUndefined();
  });
});

describe('isServerOf', () => {
  it('recognizes a Postgres by its program and its data', () => {
    expect(isServerOf('/x/bin/postgres -D /repo/.data/postgres/data -p 1', '/repo/.data/postgres/data')).toBe(true);
    expect(isServerOf('/x/bin/postgres -D /other/data', '/repo/.data/postgres/data')).toBe(false);
    expect(isServerOf('vim /repo/.data/postgres/data', '/repo/.data/postgres/data')).toBe(false);
  });
});
