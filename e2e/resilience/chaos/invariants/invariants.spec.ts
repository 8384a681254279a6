import type { Invariant } from '../../../../tools/testkit/invariants.js';
import { carriedMessage, smallRun } from '../testing/small-run.js';
import { moneyInvariants, newsInvariants, replyInvariants } from './account-invariants.js';
import { codeInvariants, messageInvariants, scheduleInvariants } from './message-invariants.js';

type Scene = ReturnType<typeof smallRun>;

function broken({ account, records, evidence, calls }: Scene): string[] {
  const all: Invariant[] = [
    ...messageInvariants(records.sends, evidence),
    ...scheduleInvariants(records, evidence),
    ...codeInvariants(records.verifies, evidence),
    ...replyInvariants(records.replies, evidence, calls),
    ...newsInvariants([account], evidence, records.verifies, calls),
    ...moneyInvariants([account], records, evidence),
  ];
  return all.filter((one) => one.broken.length > 0).map(({ title }) => title);
}

const first = <T>(list: readonly T[]): T => {
  const [found] = list;
  if (found === undefined) throw new Error('The small run has none');
  return found;
};

/** Faults, each with an invariant that it violates. */
const faults: [string, string, (scene: Scene) => void][] = [
  [
    'the final status of a message is not delivered',
    'every final status reaches its subscriber, always under one id',
    ({ calls }) => void calls.splice(1, 1),
  ],
  [
    'a code’s webhooks have two ids',
    'and of every code that counted',
    ({ calls }) => void calls.push({ ...first(calls.slice(-1)), webhookId: 'msg_5' }),
  ],
  [
    'a message is missing in the database',
    'every accepted message exists once, under the id of the response',
    ({ evidence }) => void evidence.messages.shift(),
  ],
  [
    'a message is stored twice',
    'every accepted message exists once, under the id of the response',
    ({ evidence }) => void evidence.messages.push({ ...first(evidence.messages), id: 'SM3' }),
  ],
  [
    'one request got two ids',
    'every accepted message exists once, under the id of the response',
    ({ records }) => void first(records.sends).messageIds.add('SM3'),
  ],
  [
    'a refused request is stored',
    'no refused request is a message',
    ({ records }) => void (first(records.sends).outcome = 'refused'),
  ],
  [
    'a message is sent twice',
    'every message was sent once, or failed and was not sent',
    ({ evidence }) => void first([...evidence.carried.values()]).push(carriedMessage()),
  ],
  [
    'a message is not sent',
    'every message was sent once, or failed and was not sent',
    ({ evidence }) => evidence.carried.clear(),
  ],
  [
    'an unknown message is sent',
    'every sent message was requested and charged',
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
    'a reply is not stored',
    'every reply is stored once, for its owner',
    ({ evidence }) => void evidence.replies.shift(),
  ],
  [
    'a reply is charged twice',
    'replies are charged once each',
    ({ evidence }) => void evidence.entries.splice(3, 0, ...evidence.entries.slice(3, 4)),
  ],
  [
    'a reply is never delivered',
    'every reply was delivered to its owner, always under one id',
    ({ calls }) => void calls.splice(0, 1, { ...first(calls), isTaken: false }),
  ],
  [
    'a reply has two ids',
    'every reply was delivered to its owner, always under one id',
    ({ calls }) => void calls.push({ ...first(calls), webhookId: 'msg_2' }),
  ],
  [
    'a reply is delivered to another account',
    'every reply was delivered to its owner, always under one id',
    ({ calls }) => void calls.push({ ...first(calls), account: 1 }),
  ],
  [
    'a session is credited twice',
    'every paid session is credited once',
    ({ evidence }) => void evidence.entries.push(...evidence.entries.slice(-1)),
  ],
  ['a session is not credited', 'every paid session is credited once', ({ evidence }) => void evidence.entries.pop()],
  [
    'a scheduled message leaves early',
    'no scheduled message was sent early',
    ({ evidence }) =>
      void evidence.carried.set(first([...evidence.carried.keys()]), [
        { ...carriedMessage(), at: '2026-03-05T11:59:59.000Z' },
      ]),
  ],
  [
    'a cancel that succeeded is lost',
    'a message is canceled if and only if one of its cancels succeeded',
    ({ evidence }) =>
      void evidence.messages.splice(2, 1, { ...first(evidence.messages.slice(2)), status: 'delivered' }),
  ],
  [
    'a message is canceled although every cancel was refused',
    'a message is canceled if and only if one of its cancels succeeded',
    ({ records }) => void records.cancels.splice(0, 1, { ...first(records.cancels), status: 409 }),
  ],
  [
    'a message is canceled without a request',
    'only messages whose cancel was requested are canceled',
    ({ records }) => void records.cancels.splice(0, 1),
  ],
  [
    'a balance is wrong',
    'every balance is what its owner expects',
    ({ evidence }) => void evidence.balances.splice(0, 1, { ...first(evidence.balances), used: 3 }),
  ],
];

describe('invariants', () => {
  it('hold in a run without faults', () => {
    expect(broken(smallRun())).toEqual([]);
  });

  it('hold when one of two cancels of a message is refused and the other succeeds', () => {
    const scene = smallRun();
    scene.records.cancels.push({ ...first(scene.records.cancels), status: 409 });
    expect(broken(scene)).toEqual([]);
  });

  it.each(faults)('are violated when %s: %s', (_what, title, spoil) => {
    const scene = smallRun();
    spoil(scene);
    expect(broken(scene)).toContain(title);
  });
});
