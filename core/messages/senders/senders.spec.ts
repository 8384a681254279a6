import fc from 'fast-check';
import { chooseSender } from './senders.js';
import type { SenderUse } from './conversation-owners.repository.js';

const [one, two, three] = ['+15005550001', '+15005550002', '+15005550003'] as const;
const candidates = [one, two, three];
const use = (accountId: string, sender: string, minute: number): SenderUse => ({
  accountId,
  sender,
  at: new Date(Date.UTC(2026, 10, 21, 0, minute)),
});

describe('chooseSender', () => {
  it.each<[string, SenderUse[], string]>([
    ['the first sender for a new recipient', [], one],
    ['the one the account used before', [use('ada', two, 1)], two],
    ['the one the account used last, of several', [use('ada', three, 2), use('ada', two, 1)], three],
    ['the one the account used before, although another used it since', [use('ada', one, 1), use('bob', one, 2)], one],
    ['one that no other has used', [use('bob', one, 1)], two],
    ['the only one that no other has used', [use('bob', one, 1), use('cy', three, 2)], two],
    ['the one that others used longest ago', [use('bob', one, 3), use('cy', two, 1), use('dan', three, 2)], two],
    ['by the last use of each', [use('bob', one, 1), use('cy', one, 9), use('cy', two, 5), use('dan', three, 7)], two],
    ['another when the one of before is no sender any more', [use('ada', '+15005550009', 5), use('bob', one, 1)], two],
  ])('takes %s', (_title, uses, expected) => {
    expect(chooseSender({ candidates, ownedByOthers: [] }, 'ada', uses)).toBe(expected);
  });

  it.each<[string, string[], string]>([
    ['another than its own of before when another account owns that', [two], three],
    ['the only one that no other account owns', [two, three], one],
    ['the one the account used before when others own all', [one, two, three], two],
  ])('takes %s', (_title, ownedByOthers, expected) => {
    const uses = [use('ada', two, 1), use('bob', one, 2)];
    expect(chooseSender({ candidates, ownedByOthers }, 'ada', uses)).toBe(expected);
  });

  it('gives as many accounts as there are senders one each, and keeps them', () => {
    const accounts = fc.uniqueArray(fc.constantFrom('ada', 'bob', 'cy'), { minLength: 1 });
    fc.assert(
      fc.property(accounts, fc.shuffledSubarray(candidates, { minLength: 3 }), (ids, order) => {
        const uses: SenderUse[] = [];
        for (const [minute, id] of ids.entries())
          uses.push(use(id, chooseSender({ candidates: order, ownedByOthers: [] }, id, uses), minute));
        expect(new Set(uses.map(({ sender }) => sender)).size).toBe(ids.length);
        for (const { accountId, sender } of uses)
          expect(chooseSender({ candidates: order, ownedByOthers: [] }, accountId, uses)).toBe(sender);
      }),
    );
  });
});
