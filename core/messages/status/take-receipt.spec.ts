import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { newMessageId, publicMessageId } from '../../rules/ids.js';
import type { CarrierReceipt } from '../../carriers/carrier.js';
import { RecordReceipt } from './record-receipt.js';
import { TakeReceipt } from './take-receipt.js';

const OURS = publicMessageId(newMessageId());

const receipt = (status: CarrierReceipt['status'], changes: Partial<CarrierReceipt> = {}): CarrierReceipt => ({
  carrier: 1,
  messageId: OURS,
  carrierId: 'SM1',
  status,
  carrierError: null,
  ...changes,
});

describe('TakeReceipt', () => {
  let recorded: string[];
  let take: TakeReceipt;
  let metrics: Metrics;

  beforeEach(() => {
    jest.useFakeTimers();
    recorded = [];
    metrics = new Metrics('server');
    jest.spyOn(RecordReceipt.prototype, 'record').mockImplementation(async ({ carrierId, status }) => {
      recorded.push(`${carrierId} ${status}`);
    });
    const record: RecordReceipt = Object.create(RecordReceipt.prototype);
    take = new TakeReceipt(record, metrics, new Logger({ name: 'test', level: 'silent' }));
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('records the end of a message alone, when it comes soon after `sent`, and counts both', async () => {
    await take.take(receipt('sent'));
    await take.take(receipt('sent'));
    await jest.advanceTimersByTimeAsync(1_900);
    await take.take(receipt('delivered'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(recorded).toEqual(['SM1 delivered']);
    expect((await metrics.receipts.get()).values).toMatchObject([{ labels: { status: 'sent' }, value: 1 }]);
  });

  it('records `sent` after two seconds, when nothing follows', async () => {
    await take.take(receipt('sent'));
    await jest.advanceTimersByTimeAsync(1_999);
    expect(recorded).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(recorded).toEqual(['SM1 sent']);
  });

  it('keeps the `sent` of another message of the carrier, and of another one of ours', async () => {
    for (const changes of [{ carrierId: 'SM2' }, { messageId: publicMessageId(newMessageId()) }, { carrier: 2 }])
      await take.take(receipt('sent', changes));
    await take.take(receipt('delivered'));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(recorded).toEqual(['SM1 delivered', 'SM2 sent', 'SM1 sent', 'SM1 sent']);
  });

  it.each([{ sender: '+15005550006' }, { costMicrousd: 4_000n }])(
    'records at once a `sent` with more: %o',
    async (more) => {
      await take.take(receipt('sent'));
      await take.take(receipt('sent', more));
      expect(recorded).toEqual(['SM1 sent']);
    },
  );

  it('keeps nothing that names no message of ours, and no more than 5,000', async () => {
    await take.take(receipt('sent', { messageId: 'x'.repeat(60_000) }));
    expect(recorded).toEqual(['SM1 sent']);
    for (let n = 0; n <= 5_000; n += 1) await take.take(receipt('sent', { carrierId: `SM2-${n}` }));
    expect(recorded).toEqual(['SM1 sent', 'SM2-5000 sent']);
  });

  it('records what waits when the process ends, and what comes later at once', async () => {
    await take.take(receipt('sent'));
    await take.beforeApplicationShutdown();
    await take.take(receipt('sent', { carrierId: 'SM2' }));
    expect(recorded).toEqual(['SM1 sent', 'SM2 sent']);
  });

  it('tells the carrier that an end was not recorded, and goes on after a `sent` that was not', async () => {
    jest.spyOn(RecordReceipt.prototype, 'record').mockRejectedValue(new Error('gone'));
    await expect(take.take(receipt('delivered'))).rejects.toThrow('gone');
    await take.take(receipt('sent'));
    await jest.advanceTimersByTimeAsync(2_000);
    await take.take(receipt('sent'));
    await expect(take.beforeApplicationShutdown()).resolves.toBeUndefined();
  });
});
