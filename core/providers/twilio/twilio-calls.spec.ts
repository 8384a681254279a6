import { callStatusOf } from './twilio-calls.js';

describe('callStatusOf', () => {
  it.each([
    ['completed', 'human', { status: 'delivered' }],
    ['completed', 'unknown', { status: 'delivered' }],
    ['completed', null, { status: 'delivered' }],
    ['completed', undefined, { status: 'delivered' }],
    ['completed', 'machine_start', { status: 'undelivered', errorCode: 'call_machine' }],
    ['completed', 'machine_end_beep', { status: 'undelivered', errorCode: 'call_machine' }],
    ['completed', 'fax', { status: 'undelivered', errorCode: 'call_machine' }],
    ['busy', null, { status: 'undelivered', errorCode: 'call_busy' }],
    ['no-answer', null, { status: 'undelivered', errorCode: 'call_unanswered' }],
    ['failed', null, { status: 'failed', errorCode: 'call_failed' }],
    ['canceled', null, { status: 'failed', errorCode: 'call_failed' }],
    ['queued', null, { status: 'sent' }],
    ['ringing', null, { status: 'sent' }],
    ['in-progress', 'human', { status: 'sent' }],
    ['a status of the future', null, { status: 'sent' }],
  ])('of %s, answered by %s', (status, answeredBy, expected) => {
    expect(callStatusOf(status, answeredBy)).toEqual(expected);
  });
});
