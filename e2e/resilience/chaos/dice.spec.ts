import { Dice } from './dice.js';

const throws = (dice: Dice) => Array.from({ length: 1_000 }, () => dice.between(1, 6));

describe('dice', () => {
  it('throw the same for the same seed, and differently for another', () => {
    expect(throws(new Dice(1))).toEqual(throws(new Dice(1)));
    expect(throws(new Dice(1))).not.toEqual(throws(new Dice(2)));
  });

  it('throw every face and nothing else', () => {
    expect(new Set(throws(new Dice(3)))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });

  it('shuffle without losing or doubling anything', () => {
    const list = Array.from({ length: 50 }, (_none, index) => index);
    const shuffled = new Dice(4).shuffled(list);
    expect(shuffled).not.toEqual(list);
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(list);
  });
});
