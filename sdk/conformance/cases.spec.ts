import { callNames, caseFiles, casesIn } from './case.js';

const files = caseFiles(__dirname);

describe('the cases of the conformance suite', () => {
  it.each(files)('match the schema in %s', (file) => {
    expect(casesIn(file).length).toBeGreaterThan(0);
  });

  it('have names that are unique', () => {
    const names = files.flatMap((file) => casesIn(file).map(({ name }) => name));
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
  });

  it('make every call of a client', () => {
    const made = new Set(files.flatMap((file) => casesIn(file).map(({ call }) => call.name)));
    expect([...made].sort()).toEqual([...callNames].sort());
  });

  it('ask for a key with every request of a call that sends or uploads, and with no other', () => {
    const cases = files.flatMap((file) => casesIn(file));
    const keyed = cases.filter(({ expect: { requests } }) => requests.some((one) => one.idempotency_key));
    expect([...new Set(keyed.map(({ call }) => call.name))].sort()).toEqual(
      ['media.upload', 'otp.resend', 'otp.send', 'send', 'send_bulk'].sort(),
    );
    const halves = keyed.filter(({ expect: { requests } }) => requests.some((one) => !one.idempotency_key));
    expect(halves.map(({ name }) => name)).toEqual([]);
  });
});
