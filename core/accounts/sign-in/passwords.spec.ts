import { Passwords } from './passwords.js';

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

describe('Passwords', () => {
  const passwords = new Passwords();

  it('verifies a password against its argon2id hash, and salts every hash', async () => {
    const [one, other] = [await passwords.hash('Passw0rd!'), await passwords.hash('Passw0rd!')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await passwords.verify('Passw0rd!', one)).toBe(true);
    expect(await passwords.verify('Passw0rd?', one)).toBe(false);
  });

  it.each([null, undefined])(
    'rejects every password without a hash (%s), also the one of the dummy hash',
    async (kept) => {
      expect(await passwords.verify('the dummy password', kept)).toBe(false);
    },
  );

  it('takes as long without a hash as for a wrong password', async () => {
    const kept = await passwords.hash('Passw0rd!');
    const timed = async (hash: string | null) => {
      const start = performance.now();
      await passwords.verify('Wr0ng!!!', hash);
      return performance.now() - start;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 9; round += 1) {
      known.push(await timed(kept));
      unknown.push(await timed(null));
    }
    const ratio = median(unknown) / median(known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
