import type { AccountState } from './account-state.sql.js';
import { notificationsOf } from './notification-rules.js';

const state: AccountState = {
  day: '2026-11-26',
  deleteAt: null,
  flaggedAt: null,
  welcomeFailed: false,
  hasUrl: true,
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  waiting: 0,
  lastStatus: null,
  lastError: null,
  lowCredits: null,
  suspendedAt: null,
  recipients: null,
  undelivered: null,
  filtered: 0,
  ended: 0,
  guardRefused: false,
  topUpOn: false,
  topUpThreshold: null,
  topUpsMax: null,
  topUpsThisMonth: 0,
  topUpOffReason: null,
  topUpRetryAt: null,
  chargeId: null,
  chargeStatus: null,
  chargeReason: null,
  chargeCredits: null,
  cardLast4: null,
  chargedAt: null,
  chargeEndedAt: null,
  disputes: 0,
  disputedAt: null,
  creditsDisputed: 0,
  keys: [],
  numbers: [],
};
const credits = { balance: 100, purchased: 100, frozen: 0, updatedAt: new Date(0), recentUse: null };
const none = { state, credits, guard: undefined, publicUrl: 'https://pennytext.test' };
const messages = (changes: Partial<AccountState>, more: Partial<typeof none> = {}) =>
  notificationsOf({ ...none, ...more, state: { ...state, ...changes } }).map(({ message }) => message);

describe('notificationsOf', () => {
  it('is nothing while everything works', () => {
    expect(messages({})).toEqual([]);
  });

  it.each([
    [0, 'No webhooks wait.'],
    [1, '1 webhook waits.'],
    [2_500, '2,500 webhooks wait.'],
    [10_000, 'At least 10,000 webhooks wait.'],
  ])('counts %i waiting webhooks in words', (waiting, words) => {
    const failing = { failingSince: new Date(0), lastStatus: 502, waiting };
    expect(messages(failing)).toEqual([`Your webhook is failing: HTTP 502. ${words}`]);
  });

  it('names no webhook without a URL', () => {
    expect(messages({ hasUrl: false, failingSince: new Date(0) })).toEqual([]);
  });

  it('names the tighter of a key’s two budgets', () => {
    const key = { id: 'k', name: 'Shop', perDay: 10, perMonth: 100, today: 8, thisMonth: 95 };
    expect(messages({ keys: [key] })).toEqual(['The key “Shop” has used 95 of its 100 credits for this month.']);
    expect(messages({ keys: [{ ...key, today: 7, thisMonth: 79 }] })).toEqual([]);
  });

  const block = {
    otp_id: 'OT1',
    rule: 'conversion_hour',
    to: '+14155552671',
    country: 'US',
    block: '+14155552',
    sent: 30,
    verified: 2,
    refused: 1,
    open: true,
    first_at: '2026-11-26T10:00:00.000Z',
    last_at: '2026-11-26T10:05:00.000Z',
  };
  const guardWith = (changes: Partial<typeof block>) => ({
    suspicious: true,
    rules: [],
    blocked: [{ ...block, ...changes }],
    reset_at: null,
    next_reset_at: null,
  });

  it('names codes that the fraud guard pauses, and not those that pass again', () => {
    expect(notificationsOf({ ...none, guard: guardWith({}) })).toMatchObject([
      {
        code: 'codes_paused',
        since: '2026-11-26T10:00:00.000Z',
        message:
          'One-time passwords to +14155552… are paused: 2 of the last 30 codes were verified. 1 code was refused.',
      },
    ]);
    expect(notificationsOf({ ...none, guard: guardWith({ open: false }) })).toEqual([]);
  });

  it('shows one state of automatic top-up at a time', () => {
    const many = { topUpOn: true, flaggedAt: new Date(0), topUpRetryAt: new Date(0), chargeStatus: 'declined' };
    expect(messages(many)).toHaveLength(1);
  });

  it('names a number whose rent is due before one that carriers filter', () => {
    const number = {
      id: '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d',
      number: '+12125550143',
      rent: 50,
      pastDueAt: '2026-11-20T15:00:00+00:00',
      filteredAt: '2026-11-21T15:00:00+00:00',
    };
    const found = notificationsOf({ ...none, state: { ...state, numbers: [number] } });
    expect(found).toMatchObject([
      {
        code: 'number_past_due',
        severity: 'critical',
        since: '2026-11-20T15:00:00.000Z',
        message:
          'The rent of +12125550143, 50 credits, is due and not covered. The number is released on 11/27/2026, ' +
          '10:00:00 AM (New York).',
        url: 'https://pennytext.test/dashboard/purchase',
        figures: { credits: 50, releases_at: '2026-11-27T15:00:00.000Z' },
      },
      {
        code: 'number_filtered',
        severity: 'warning',
        since: '2026-11-21T15:00:00.000Z',
        url: 'https://pennytext.test/dashboard/numbers/num_0199d0d07c5a7b1f8e0a4f6f2f9c1b3d',
      },
    ]);
    const sound = { ...number, pastDueAt: null, filteredAt: null };
    expect(messages({ numbers: [sound] })).toEqual([]);
  });
});
