import { refusalLine } from './check-database.js';

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

  it('recognises a timeout by its words, as pg gives it no code', () => {
    expect(refusalLine(url, { message: 'timeout expired' })).toContain('no answer');
  });

  it('is one line and does not show the password', () => {
    expect(refusalLine(url, { message: 'odd\nstack' })).not.toMatch(/\n|secret/);
  });
});
