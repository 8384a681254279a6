import fc from 'fast-check';
import type { SegmentReceipt } from './smpp-receipts.js';
import { type SubmittedMessage, SubmittedSegments } from './submitted-segments.js';

const CARRIER = 3;
const message = (segments: number, changes: Partial<SubmittedMessage> = {}): SubmittedMessage => ({
  messageId: 'm1',
  accountId: 'a1',
  recipient: '+14155552671',
  segments,
  ...changes,
});
const receipt = (id: string, changes: Partial<SegmentReceipt> = {}): SegmentReceipt => ({
  id,
  status: 'delivered',
  error: null,
  recipient: '14155552671',
  reference: null,
  ...changes,
});
const whole = (status: string, carrierId: string) => ({
  carrier: CARRIER,
  messageId: 'm1',
  accountId: 'a1',
  carrierId,
  status,
  carrierError: null,
});

describe('SubmittedSegments', () => {
  it('returns the receipt of a message once, whatever the order of responses and receipts', () => {
    const segments = fc.integer({ min: 1, max: 10 });
    fc.assert(
      fc.property(segments, fc.infiniteStream(fc.nat()), fc.infiniteStream(fc.boolean()), (count, random, fails) => {
        const submitted = new SubmittedSegments(CARRIER, 'auto');
        const ids = Array.from({ length: count }, (_, index) => `id-${index}`);
        const states = ids.map(() => (fails.next().value === true ? ('undelivered' as const) : ('delivered' as const)));
        const events = [
          ...ids.map((id) => () => submitted.taken(message(count), id)),
          ...ids.map((id, index) => () => submitted.receipt(receipt(id, { status: states[index] ?? 'sent' }))),
          // Duplicates.
          ...ids.map((id, index) => () => submitted.receipt(receipt(id, { status: states[index] ?? 'sent' }))),
        ].map((event) => ({ event, order: Number(random.next().value) }));
        const results = events.sort((one, other) => one.order - other.order).flatMap(({ event }) => event() ?? []);
        expect(results).toHaveLength(1);
        expect(results[0]?.status).toBe(states.includes('undelivered') ? 'undelivered' : 'delivered');
      }),
    );
  });

  it('waits for all segments, also when one is undelivered', () => {
    const submitted = new SubmittedSegments(CARRIER, 'same');
    submitted.taken(message(2), 'A1');
    submitted.taken(message(2), 'A2');
    expect(submitted.receipt(receipt('a1', { status: 'undelivered' }))).toBeUndefined();
    expect(submitted.receipt(receipt('a2'))).toEqual(whole('undelivered', 'A1'));
  });

  it('lets a state that is not final end nothing', () => {
    const submitted = new SubmittedSegments(CARRIER, 'same');
    submitted.taken(message(1), '7');
    expect(submitted.receipt(receipt('7', { status: 'sent' }))).toBeUndefined();
    expect(submitted.receipt(receipt('7'))).toEqual(whole('delivered', '7'));
  });

  it('keeps the first final state of a segment, whatever comes after it', () => {
    const submitted = new SubmittedSegments(CARRIER, 'same');
    for (const id of ['1', '2']) submitted.taken(message(2), id);
    submitted.receipt(receipt('1', { status: 'undelivered' }));
    submitted.receipt(receipt('1'));
    expect(submitted.receipt(receipt('2'))?.status).toBe('undelivered');
    for (const status of ['delivered', 'sent', 'undelivered'] as const) submitted.receipt(receipt('3', { status }));
    expect(submitted.taken(message(1), '3')?.status).toBe('delivered');
  });

  it('finds a message by an id in another base only if the phone is the same', () => {
    const submitted = new SubmittedSegments(CARRIER, 'auto');
    submitted.taken(message(1), '0000FF');
    expect(submitted.receipt(receipt('255', { recipient: '14155550000' }))).toBeUndefined();
    expect(submitted.receipt(receipt('255'))).toEqual(whole('delivered', '0000FF'));
  });

  it('prefers the message with the same id to one with that number in another base', () => {
    const submitted = new SubmittedSegments(CARRIER, 'auto');
    submitted.taken(message(1, { messageId: 'other' }), 'a');
    submitted.taken(message(1), '10');
    expect(submitted.receipt(receipt('10'))?.messageId).toBe('m1');
  });

  it.each([
    ['255', 'ff', 'hex'],
    ['ff', '255', 'decimal'],
    ['00FF', 'ff', 'same'],
    ['ff', '0255', 'auto'],
  ] as const)('keeps a receipt that comes before the response: %s as %s under %s', (submittedId, receiptId, base) => {
    const submitted = new SubmittedSegments(CARRIER, base);
    expect(submitted.receipt(receipt(receiptId))).toBeUndefined();
    expect(submitted.taken(message(1), submittedId)).toEqual(whole('delivered', submittedId));
  });

  it('keeps what is early and what is open within its bounds', () => {
    const submitted = new SubmittedSegments(CARRIER, 'same', { segmentsMax: 2, earlyMax: 2 });
    for (const id of ['1', '2', '3']) submitted.receipt(receipt(id));
    expect(submitted.taken(message(1), '1')).toBeUndefined();
    expect(submitted.taken(message(1, { messageId: 'm3' }), '3')?.messageId).toBe('m3');
    for (const id of ['4', '5']) submitted.taken(message(1, { messageId: `m${id}` }), id);
    expect(submitted.receipt(receipt('1'))).toBeUndefined();
    expect(submitted.receipt(receipt('5'))?.messageId).toBe('m5');
  });
});
