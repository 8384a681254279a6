import type { OtpMessageView } from '#contract/otp.js';
import type { OtpChannel, OtpStepView } from '#contract/otp-channels.js';
import {
  channelsUsed,
  decisiveOf,
  hasChannels,
  nextStepOf,
  outcomeText,
  stepCost,
  stepReason,
  unlessText,
} from './code-steps.js';

const step = (fields: Partial<OtpStepView>): OtpStepView => ({
  n: 1,
  channel: 'sms',
  to: '+14155552671',
  started_at: '2026-11-30T22:20:00Z',
  outcome: 'sent',
  reason: null,
  credits: 1,
  ...fields,
});
const at = '2026-11-30T22:21:00Z';
const pending = {
  status: 'pending' as const,
  steps: [step({})],
  next_channel: 'voice' as const,
  next_channel_at: at,
};

const code = (messages: readonly (readonly [OtpChannel, OtpMessageView['status']])[], entered: number | null) => ({
  messages: messages.map(([, status], place) => ({
    message_id: String(place + 1),
    status,
    reason: null,
    created_at: at,
    sent_at: at,
    finished_at: at,
  })),
  steps: messages.map(([channel], place): OtpStepView => ({
    n: place + 1,
    channel,
    to: '+14155552671',
    started_at: at,
    outcome: 'sent',
    reason: null,
    credits: 1,
  })),
  next_channel: null,
  entered_step: entered,
});

describe('the steps of a code', () => {
  it('name a code that goes by other channels', () => {
    const none = { next_channel: null };
    expect(hasChannels({ steps: [step({}), step({ n: 2 })], ...none })).toBe(false);
    expect(hasChannels({ steps: [step({ channel: 'voice' })], ...none })).toBe(true);
    expect(hasChannels(pending)).toBe(true);
    expect(channelsUsed({ steps: [step({}), step({ channel: 'voice' }), step({})] })).toEqual(['sms', 'voice']);
  });

  it('have a next step until the code has arrived or ended', () => {
    expect(nextStepOf(pending)).toEqual({ channel: 'voice', at });
    expect(nextStepOf({ ...pending, steps: [step({ outcome: 'delivered' })] })).toBeUndefined();
    expect(nextStepOf({ ...pending, status: 'verified' })).toBeUndefined();
    expect(nextStepOf({ ...pending, next_channel: null, next_channel_at: null })).toBeUndefined();
  });

  it.each([
    ['sms', 'unless the code is entered or delivered'],
    ['whatsapp', 'unless the code is entered or delivered'],
    ['voice', 'unless the code is entered or the call is answered'],
    ['email', 'unless the code is entered'],
  ] as const)('after %s go on %s', (latest, text) => expect(unlessText(latest)).toBe(text));

  it.each([
    [{ channel: 'sms', outcome: 'started', credits: 0 }, 'On its way', undefined, 'Not charged yet'],
    [{ channel: 'sms', outcome: 'delivered', credits: 1 }, 'Delivered', undefined, '1 credit'],
    [{ channel: 'voice', outcome: 'delivered', credits: 3 }, 'Answered', undefined, '3 credits'],
    [
      { channel: 'voice', outcome: 'undelivered', reason: 'call_busy', credits: 0 },
      'Not reached',
      'Line busy',
      'Refunded',
    ],
    [
      { channel: 'whatsapp', outcome: 'failed', reason: '63016', credits: 0 },
      'Failed',
      'Refused by WhatsApp',
      'Refunded',
    ],
    [
      { channel: 'voice', outcome: 'refused', reason: 'no_credits', credits: 0 },
      'Not called',
      'No credits were left',
      'Not charged',
    ],
    [
      { channel: 'whatsapp', outcome: 'refused', reason: 'recipient_opted_out', credits: 0 },
      'Not sent',
      'Recipient opted out',
      'Not charged',
    ],
    [
      { channel: 'voice', outcome: 'refused', reason: 'key_scope', credits: 0 },
      'Not called',
      'The key may no longer send codes',
      'Not charged',
    ],
    [
      { channel: 'email', outcome: 'refused', reason: 'address_blocked', credits: 0 },
      'Not sent',
      'Refused',
      'Not charged',
    ],
  ] as const)('%j are put in words', (fields, outcome, reason, cost) => {
    const told = step(fields);
    expect(outcomeText(told)).toBe(outcome);
    expect(stepReason(told)).toBe(reason);
    expect(stepCost(told)).toBe(cost);
  });
});

describe('the message that shows whether a code arrived', () => {
  it.each([
    [
      'the first that was delivered',
      code(
        [
          ['sms', 'failed'],
          ['sms', 'delivered'],
          ['sms', 'sent'],
        ],
        null,
      ),
      '2',
    ],
    [
      'the latest of several text messages',
      code(
        [
          ['sms', 'sent'],
          ['sms', 'undelivered'],
        ],
        1,
      ),
      '2',
    ],
    [
      'the one after which the code was entered',
      code(
        [
          ['sms', 'failed'],
          ['email', 'sent'],
          ['voice', null],
        ],
        2,
      ),
      '2',
    ],
    [
      'the latest that was accepted',
      code(
        [
          ['sms', 'sent'],
          ['voice', null],
        ],
        null,
      ),
      '1',
    ],
    ['the only one, although it was not accepted', code([['sms', null]], null), '1'],
  ])('is %s', (_which, otp, id) => {
    expect(decisiveOf(otp)?.message_id).toBe(id);
  });
});
