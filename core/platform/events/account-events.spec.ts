import fc from 'fast-check';
import { Logger } from '../telemetry/logger.js';
import { newMessageId } from '../../rules/ids.js';
import { eventually } from '../../testing/eventually.js';
import {
  type AccountEvent,
  AccountEvents,
  EVENT_IDS_MAX,
  type EventBatch,
  readEvents,
  writeEvents,
} from './account-events.js';
import { PubSub } from '../queue/pub-sub.js';

const ids = fc.uniqueArray(fc.uuid(), { maxLength: EVENT_IDS_MAX });
const anyHints = fc.array(fc.record({ accountId: fc.uuid(), sent: ids, received: ids, many: fc.boolean() }), {
  maxLength: 12,
});

describe('events as text', () => {
  it('are parsed as they were written, in texts within the limit of a Postgres notification', () => {
    fc.assert(
      fc.property(anyHints, fc.boolean(), (written, missed) => {
        const texts = writeEvents({ hints: written, missed });
        expect(texts.every((text) => Buffer.byteLength(text) < 8_000)).toBe(true);
        const read = texts.map((text) => readEvents(text));
        expect(read.flatMap((news) => news?.hints ?? [])).toEqual(written.map(shortened));
        expect(read.filter((news) => news?.missed)).toHaveLength(missed ? 1 : 0);
      }),
      { numRuns: 200 },
    );
  });

  it('are no text without events', () => {
    expect(writeEvents({ hints: [], missed: false })).toEqual([]);
  });

  it.each(['', 'nonsense', '{}', '[]', '{"hints":[{"accountId":"x"}],"missed":false}'])(
    'that another version wrote, %j, is not understood',
    (text) => {
      expect(readEvents(text)).toBeUndefined();
    },
  );
});

/** An event with both lists full does not fit one text: the pages read their views instead. */
function shortened(hint: AccountEvent): AccountEvent {
  const fits = JSON.stringify(hint).length < 7_900 - '{"hints":[],"missed":false}'.length + 1;
  return fits ? hint : { ...hint, sent: [], received: [], many: true };
}

const ADA = '0d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e6f';
const BOB = '1d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e6f';

/** Pub/sub in memory that can be disconnected. */
class PubSubInMemory extends PubSub {
  readonly isLive = true;
  readonly published: EventBatch[] = [];
  isDisconnected = false;

  async publish(text: string): Promise<void> {
    if (this.isDisconnected) throw new Error('disconnected');
    const batch = readEvents(text);
    if (batch) this.published.push(batch);
  }

  listen(): void {
    throw new Error('The test subscribes to nothing');
  }
}

describe('AccountEvents', () => {
  const pubSub = new PubSubInMemory();
  const events = new AccountEvents(pubSub, Logger.silent());
  const hints = () => pubSub.published.flatMap((one) => one.hints);

  beforeEach(() => {
    pubSub.published.length = 0;
    pubSub.isDisconnected = false;
  });

  afterEach(() => events.beforeApplicationShutdown());

  it('publishes events of one moment in one text and names each message once', async () => {
    const [first, second, inbound] = [newMessageId(), newMessageId(), newMessageId()];
    events.changed(ADA, first);
    events.changed(ADA, second);
    events.changed(ADA, first);
    events.received(ADA, inbound);
    events.balanceChanged(BOB);
    await eventually('the events are published', async () => pubSub.published.length > 0);
    expect(pubSub.published).toEqual([
      {
        hints: [
          { accountId: ADA, sent: [first, second], received: [inbound], many: false },
          { accountId: BOB, sent: [], received: [], many: false },
        ],
        missed: false,
      },
    ]);
  });

  it('replaces ids over its limit by `many`', async () => {
    for (let n = 0; n <= EVENT_IDS_MAX; n += 1) events.changed(ADA, newMessageId());
    await eventually('the events are published', async () => pubSub.published.length > 0);
    expect(hints()).toMatchObject([{ accountId: ADA, many: true }]);
    expect(hints()[0]?.sent).toHaveLength(EVENT_IDS_MAX);
  });

  it('reports lost events as soon as the connection is back', async () => {
    pubSub.isDisconnected = true;
    events.changed(ADA, newMessageId());
    await events.beforeApplicationShutdown();
    expect(pubSub.published).toEqual([]);
    pubSub.isDisconnected = false;
    events.balanceChanged(BOB);
    await eventually('the events are published', async () => pubSub.published.length > 0);
    expect(pubSub.published).toEqual([{ hints: [expect.objectContaining({ accountId: BOB })], missed: true }]);
  });

  it('keeps events of a bounded number of accounts and reports that it dropped others', async () => {
    for (let n = 0; n < 6_000; n += 1) events.balanceChanged(ADA.replace(/^.{8}/, n.toString(16).padStart(8, '0')));
    await events.beforeApplicationShutdown();
    expect(hints()).toHaveLength(5_000);
    expect(pubSub.published[0]?.missed).toBe(true);
  });

  it('publishes the last events of a process that stops', async () => {
    events.changed(ADA, newMessageId());
    await events.beforeApplicationShutdown();
    expect(hints()).toHaveLength(1);
  });
});
