import { Logger } from '../telemetry/logger.js';
import { newMessageId } from '../../rules/ids.js';
import { eventually } from '../../testing/eventually.js';
import { AccountEvents } from './account-events.js';
import { PubSub } from './pub-sub.js';
import { EVENT_IDS_MAX, readEvents, type EventBatch } from './event-text.js';

const ADA = '0d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e6f';
const BOB = '1d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e6f';

/** A line in memory, which can be broken. */
class LineInMemory extends PubSub {
  readonly isLive = true;
  readonly published: EventBatch[] = [];
  isBroken = false;

  async publish(text: string): Promise<void> {
    if (this.isBroken) throw new Error('the line is broken');
    const news = readEvents(text);
    if (news) this.published.push(news);
  }

  listen(): void {
    throw new Error('Nobody listens here');
  }
}

describe('AccountEvents', () => {
  const line = new LineInMemory();
  const news = new AccountEvents(line, Logger.silent());
  const hints = () => line.published.flatMap((one) => one.hints);

  beforeEach(() => {
    line.published.length = 0;
    line.isBroken = false;
  });

  afterEach(() => news.beforeApplicationShutdown());

  it('publishes events of one moment in one text and names each message once', async () => {
    const [first, second, inbound] = [newMessageId(), newMessageId(), newMessageId()];
    news.changed(ADA, first);
    news.changed(ADA, second);
    news.changed(ADA, first);
    news.received(ADA, inbound);
    news.balanceChanged(BOB);
    await eventually('the news', async () => line.published.length > 0);
    expect(line.published).toEqual([
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
    for (let n = 0; n <= EVENT_IDS_MAX; n += 1) news.changed(ADA, newMessageId());
    await eventually('the news', async () => line.published.length > 0);
    expect(hints()).toMatchObject([{ accountId: ADA, many: true }]);
    expect(hints()[0]?.sent).toHaveLength(EVENT_IDS_MAX);
  });

  it('reports lost events as soon as the connection is back', async () => {
    line.isBroken = true;
    news.changed(ADA, newMessageId());
    await news.beforeApplicationShutdown();
    expect(line.published).toEqual([]);
    line.isBroken = false;
    news.balanceChanged(BOB);
    await eventually('the news', async () => line.published.length > 0);
    expect(line.published).toEqual([{ hints: [expect.objectContaining({ accountId: BOB })], missed: true }]);
  });

  it('keeps events of a bounded number of accounts and reports that it dropped others', async () => {
    for (let n = 0; n < 6_000; n += 1) news.balanceChanged(ADA.replace(/^.{8}/, n.toString(16).padStart(8, '0')));
    await news.beforeApplicationShutdown();
    expect(hints()).toHaveLength(5_000);
    expect(line.published[0]?.missed).toBe(true);
  });

  it('publishes the last events of a process that stops', async () => {
    news.changed(ADA, newMessageId());
    await news.beforeApplicationShutdown();
    expect(hints()).toHaveLength(1);
  });
});
