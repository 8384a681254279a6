import type { Invariant } from '../../../../tools/testkit/invariants.js';
import { carriedMessage, smallRun } from '../testing/small-run.js';
import { moneyInvariants, newsInvariants, replyInvariants } from './account-invariants.js';
import { codeInvariants, messageInvariants } from './message-invariants.js';

type Scene = ReturnType<typeof smallRun>;

function broken({ account, records, evidence, calls }: Scene): string[] {
  const all: Invariant[] = [
    ...messageInvariants(records.sends, evidence),
    ...codeInvariants(records.verifies, evidence),
    ...replyInvariants(records.replies, evidence, calls),
    ...newsInvariants([account], evidence, records.verifies, calls),
    ...moneyInvariants([account], records, evidence),
  ];
  return all.filter((one) => one.broken.length > 0).map(({ title }) => title);
}

const first = <T>(list: readonly T[]): T => {
  const [found] = list;
  if (found === undefined) throw new Error('The scene has one');
  return found;
};

/** What goes wrong, and one of the sentences that must not hold then. */
const faults: [string, string, (scene: Scene) => void][] = [
  [
    'the end of a message is not told',
    'every final status reaches its subscriber, always under one id',
    ({ calls }) => void calls.splice(1, 1),
  ],
  [
    'a code is told under two ids',
    'and of every code that counted',
    ({ calls }) => void calls.push({ ...first(calls.slice(-1)), webhookId: 'msg_5' }),
  ],
  [
    'a message is lost from the books',
    'every accepted message exists once, under the id of the response',
    ({ evidence }) => void evidence.messages.shift(),
  ],
  [
    'a message is kept twice',
    'every accepted message exists once, under the id of the response',
    ({ evidence }) => void evidence.messages.push({ ...first(evidence.messages), id: 'SM3' }),
  ],
  [
    'one request got two ids',
    'every accepted message exists once, under the id of the response',
    ({ records }) => void first(records.sends).messageIds.add('SM3'),
  ],
  [
    'a refused request is kept',
    'no refused request is a message',
    ({ records }) => void (first(records.sends).outcome = 'refused'),
  ],
  [
    'a message is carried twice',
    'every message was carried once, or failed and was not',
    ({ evidence }) => void first([...evidence.carried.values()]).push(carriedMessage()),
  ],
  [
    'a message is not carried',
    'every message was carried once, or failed and was not',
    ({ evidence }) => evidence.carried.clear(),
  ],
  [
    'a stranger is carried',
    'everything carried was requested and charged',
    ({ evidence }) => void evidence.carried.set('SM4', [carriedMessage()]),
  ],
  [
    'a charge is missing',
    'every message is charged once, and refunded once if it did not arrive',
    ({ evidence }) => void evidence.entries.shift(),
  ],
  [
    'a refund comes twice',
    'every message is charged once, and refunded once if it did not arrive',
    ({ evidence }) => void evidence.entries.splice(2, 0, ...evidence.entries.slice(2, 3)),
  ],
  [
    'a code counts twice',
    'every code counted at most once',
    ({ records }) => void first(records.verifies).answers.fill('OTP verified'),
  ],
  [
    'a code does not count',
    'every code that reached its phone counted',
    ({ records }) => void first(records.verifies).answers.fill('OTP not found'),
  ],
  [
    'a reply is not kept',
    'every reply is kept once, by whom it was for',
    ({ evidence }) => void evidence.replies.shift(),
  ],
  [
    'a reply is charged twice',
    'replies are charged once each',
    ({ evidence }) => void evidence.entries.splice(3, 0, ...evidence.entries.slice(3, 4)),
  ],
  [
    'a reply is never taken',
    'every reply was brought to its owner, always under one id',
    ({ calls }) => void calls.splice(0, 1, { ...first(calls), isTaken: false }),
  ],
  [
    'a reply has two ids',
    'every reply was brought to its owner, always under one id',
    ({ calls }) => void calls.push({ ...first(calls), webhookId: 'msg_2' }),
  ],
  [
    'a reply goes to somebody else',
    'every reply was brought to its owner, always under one id',
    ({ calls }) => void calls.push({ ...first(calls), account: 1 }),
  ],
  [
    'a session is credited twice',
    'every paid session is credited once',
    ({ evidence }) => void evidence.entries.push(...evidence.entries.slice(-1)),
  ],
  ['a session is not credited', 'every paid session is credited once', ({ evidence }) => void evidence.entries.pop()],
  [
    'a balance is wrong',
    'every balance is what its owner expects',
    ({ evidence }) => void evidence.balances.splice(0, 1, { ...first(evidence.balances), used: 3 }),
  ],
];

describe('what must hold', () => {
  it('holds when all is well', () => {
    expect(broken(smallRun())).toEqual([]);
  });

  it.each(faults)('is broken when %s: %s', (_what, title, spoil) => {
    const scene = smallRun();
    spoil(scene);
    expect(broken(scene)).toContain(title);
  });
});
