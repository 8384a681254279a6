import { inTurn } from './picture-turns.js';

describe('Work on pictures', () => {
  it('is done one at a time, the accounts in turns', async () => {
    const begun: string[] = [];
    let running = 0;
    const work = (name: string) =>
      inTurn(name.charAt(0), async () => {
        expect((running += 1)).toBe(1);
        begun.push(name);
        await new Promise(setImmediate);
        running -= 1;
      });
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(work));
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('goes on after work that failed', async () => {
    const results = await Promise.allSettled([
      inTurn('a', () => Promise.reject(new Error('broken'))),
      inTurn('a', () => Promise.resolve('done')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await inTurn('b', () => Promise.resolve(1))).toBe(1);
  });
});
