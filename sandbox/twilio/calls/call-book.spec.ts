import { CallBook } from './call-book.js';

const draft = {
  from: '+15005550006',
  to: '+14155552671',
  twiml: '<Response/>',
  sentences: [],
  problem: null,
  statusCallback: null,
  statusCallbackMethod: 'POST',
  statusCallbackEvents: ['completed'],
  timeoutSeconds: 60,
  machineDetection: null,
  fate: 'person',
  ringsForMs: null,
  callbackPlan: 'once',
  callbackDelayMs: 0,
} as const;

describe('CallBook', () => {
  it('drops the oldest tenth when it has more calls than its bound', () => {
    const book = new CallBook(20);
    const calls = Array.from({ length: 21 }, () => book.add(draft));
    expect([book.all.length, book.all[0]]).toEqual([19, calls[2]]);
    expect(calls.map(({ sid }) => book.get(sid) !== undefined).slice(0, 3)).toEqual([false, false, true]);
  });

  it('announces calls, their changes and the choices of phones', () => {
    const book = new CallBook();
    let announced = 0;
    book.watch(() => (announced += 1));
    const call = book.add(draft);
    book.change(call, { status: 'ringing' });
    book.answerByHand(call.to, true);
    expect([announced, call.status, book.isAnsweredByHand(call.to)]).toEqual([3, 'ringing', true]);
    book.clear();
    expect([announced, book.all, book.isAnsweredByHand(call.to)]).toEqual([4, [], false]);
  });
});
