import type { NewMessage } from './message.js';
import { MessageStore, newer, older } from './message-store.js';

function draft(sid: string, phone: string, direction: NewMessage['direction'] = 'outbound-api'): NewMessage {
  const isReply = direction === 'inbound';
  return {
    carrier: 'twilio',
    sid,
    direction,
    from: isReply ? phone : '+15005550006',
    to: isReply ? '+15005550006' : phone,
    body: 'Hello',
    segments: 1,
    messagingServiceSid: null,
    statusCallback: null,
    callbackPlan: 'once',
    fate: isReply ? 'received' : 'delivered',
    createdAtMs: 1_700_000_000_000,
    status: isReply ? 'received' : 'queued',
  };
}

describe('MessageStore', () => {
  it('keeps the newest messages up to its bound and drops the others from every index', () => {
    const store = new MessageStore(3);
    store.add(draft('SM1', '+14155552671'));
    store.add(draft('SM2', '+14155552672', 'inbound'));
    for (const sid of ['SM3', 'SM4', 'SM5']) store.add(draft(sid, '+14155552673'));
    expect(newer(store.all, 0).map((message) => message.sid)).toEqual(['SM3', 'SM4', 'SM5']);
    expect(store.get('SM1')).toBeUndefined();
    expect(store.of('+14155552671')).toEqual([]);
    expect(store.of('+15005550006')).toEqual([]);
    expect(store.outboundCount).toBe(4);
  });

  it('finds a position after thousands of messages were dropped', () => {
    const store = new MessageStore(10);
    for (let n = 1; n <= 5_000; n++) store.add(draft(`SM${n}`, '+14155552671'));
    const fifthLast = store.get('SM4996');
    expect(newer(store.all, fifthLast?.sequence ?? 0).map(({ sid }) => sid)).toEqual([
      'SM4997',
      'SM4998',
      'SM4999',
      'SM5000',
    ]);
    expect([...older(store.of('+14155552671'))]).toHaveLength(10);
  });

  it('adds the replies of a phone to its thread', () => {
    const store = new MessageStore();
    store.add(draft('SM1', '+14155552671'));
    store.add(draft('SM2', '+14155552671', 'inbound'));
    expect([...older(store.of('+14155552671'))].map(({ sid }) => sid)).toEqual(['SM2', 'SM1']);
  });
});
