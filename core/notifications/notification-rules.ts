import { daysInWords, daysLeft } from '#contract/credit-use.js';
import { deliveryErrorOf } from '#contract/delivery-errors.js';
import { limits } from '#contract/limits.js';
import { type Notification, type NotificationCode, notificationCodes } from '#contract/notifications.js';
import type { OtpGuardState } from '#contract/otp.js';
import { failureInWords } from '#contract/webhooks.js';
import type { CreditState } from '../credits/credits.js';
import { declineText } from '../mail/mail-pages.js';
import { newYorkTimestamp } from '../rules/time.js';
import { publicNumberId } from '../rules/ids.js';
import {
  type BudgetedKey,
  type AccountState,
  FILTERED,
  type TroubledNumber,
  WAITING_MAX,
} from './account-state.sql.js';

/** Facts from which notifications are derived. */
export interface Facts {
  readonly state: AccountState;
  readonly credits: CreditState;
  /** Read only when the fraud guard has refused codes lately. */
  readonly guard: OtpGuardState | undefined;
  /** Base URL of our pages. */
  readonly publicUrl: string;
}

type Found = Omit<Notification, 'url' | 'since' | 'id'> & {
  readonly since: Date | null;
  /** Names the cause, after the code. */
  readonly cause: string;
  readonly path: string;
};

/** Days of use below which a balance is low. */
export const LOW_DAYS = 3;
/** Filtered messages of two days: fewer, or a smaller share, are no pattern. */
export const FILTERED_MIN = 10;
const FILTERED_SHARE_MIN = 0.1;
/** Share of a key's budget above which it is nearly used up. */
export const BUDGET_SHARE = 0.8;

const DAY_MS = 86_400_000;
const WEBHOOK = '/dashboard/webhook';
const PURCHASE = '/dashboard/purchase';

/**
 * Returns the matters that need the owner's attention now, critical matters first, then by code.
 */
export function notificationsOf(facts: Facts): Notification[] {
  const found = [
    ...webhook(facts),
    ...balanceLeft(facts),
    ...suspension(facts),
    ...codes(facts),
    ...filtered(facts),
    ...facts.state.numbers.flatMap(troubled),
    ...facts.state.keys.flatMap((key) => budget(key, facts.state.day)),
    ...dispute(facts),
    ...topUp(facts),
    ...deletion(facts),
    ...welcome(facts),
  ];
  const rank = ({ severity, code }: { severity: string; code: NotificationCode }) =>
    (severity === 'critical' ? 0 : notificationCodes.length) + notificationCodes.indexOf(code);
  return found
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ cause, path, since, ...rest }) => ({
      id: `${rest.code}:${cause}`,
      ...rest,
      since: since?.toISOString() ?? null,
      url: `${facts.publicUrl}${path}`,
    }));
}

const offReasons = {
  gone: 'your server answered 410 Gone',
  failing: 'every call failed for five days',
  operator: 'the operator turned it off',
} as const;

function webhook({ state }: Facts): Found[] {
  const { hasUrl, disabledAt, disabledReason, failingSince, waiting, lastStatus, lastError } = state;
  if (!hasUrl) return [];
  const wait = waitingInWords(waiting);
  if (disabledAt && disabledReason)
    return [
      {
        code: 'webhook_off',
        severity: 'critical',
        since: disabledAt,
        cause: disabledAt.toISOString(),
        message: `Your webhook is turned off: ${offReasons[disabledReason]}. ${wait}`,
        action:
          disabledReason === 'operator'
            ? 'Contact support. New webhooks are kept for seven days.'
            : 'Repair your server, then enable the webhook. New webhooks are kept for seven days.',
        path: WEBHOOK,
        figures: { reason: disabledReason, waiting },
      },
    ];
  if (!failingSince) return [];
  const failure = { status: lastStatus, error: lastError };
  return [
    {
      code: 'webhook_failing',
      severity: 'critical',
      since: failingSince,
      cause: failingSince.toISOString(),
      message: `Your webhook is failing: ${failureInWords(failure)}. ${wait}`,
      action: 'Repair your server or change the URL. After five days of failures the webhook is turned off.',
      path: WEBHOOK,
      figures: { http_status: lastStatus, error: lastError, waiting },
    },
  ];
}

function waitingInWords(waiting: number): string {
  if (waiting === 0) return 'No webhooks wait.';
  if (waiting === 1) return '1 webhook waits.';
  return `${waiting === WAITING_MAX ? 'At least ' : ''}${counted(waiting)} webhooks wait.`;
}

function balanceLeft({ state, credits: { balance, frozen, purchased, recentUse, updatedAt } }: Facts): Found[] {
  const available = balance - frozen;
  if (available === 0)
    return [
      {
        code: 'credits_empty',
        severity: 'critical',
        since: updatedAt,
        cause: String(purchased),
        message:
          frozen === 0
            ? 'You have 0 credits: messages are refused, and replies wait.'
            : `All of your ${inCredits(balance)} are frozen by a dispute: messages are refused, and replies wait.`,
        action: 'Purchase credits or redeem a code. Replies that wait arrive then.',
        path: PURCHASE,
        figures: { balance, frozen },
      },
    ];
  const days = recentUse && daysLeft(available, recentUse);
  const threshold = state.lowCredits !== null && available < state.lowCredits ? state.lowCredits : null;
  if (threshold === null && (days === null || days >= LOW_DAYS)) return [];
  const below = threshold === null ? '' : `, fewer than your threshold of ${counted(threshold)}`;
  const lasts = days === null ? '' : ` At the rate of the last days that lasts ${daysInWords(days)}.`;
  return [
    {
      code: 'credits_low',
      severity: 'warning',
      since: null,
      cause: String(purchased),
      message: `${inCredits(available)} left${below}.${lasts}`,
      action: 'Purchase credits, or set up automatic top-up.',
      path: PURCHASE,
      figures: { available, threshold, days_left: days },
    },
  ];
}

function suspension({ state: { suspendedAt, recipients, undelivered } }: Facts): Found[] {
  if (!suspendedAt || recipients === null || undelivered === null) return [];
  return [
    {
      code: 'sending_suspended',
      severity: 'critical',
      since: suspendedAt,
      cause: suspendedAt.toISOString(),
      message:
        `Sending is suspended: of ${counted(recipients)} recipients within ${limits.suspensionHours} hours, ` +
        `${counted(undelivered)} were not reached.`,
      action: 'Remove the numbers that cannot be reached, then lift the suspension on Home. You can do so once.',
      path: '/dashboard',
      figures: { recipients, undelivered },
    },
  ];
}

function codes({ guard }: Facts): Found[] {
  const paused = guard?.blocked.filter(({ open, verified }) => open && verified !== null) ?? [];
  const [latest] = paused;
  if (!latest) return [];
  const since = new Date(Math.min(...paused.map(({ first_at: at }) => Date.parse(at))));
  const refused = paused.reduce((sum, block) => sum + block.refused, 0);
  const verified = latest.verified ?? 0;
  const more = paused.length === 1 ? '' : `, and to ${paused.length - 1} other number blocks`;
  return [
    {
      code: 'codes_paused',
      severity: 'critical',
      since,
      cause: since.toISOString(),
      message:
        `One-time passwords to ${latest.block}…${more} are paused: ${verified} of the last ${counted(latest.sent)} ` +
        `codes were verified. ${refused === 1 ? '1 code was' : `${counted(refused)} codes were`} refused.`,
      action: 'Find out who asks for the codes. Then reset the guard, which is possible once an hour.',
      path: '/dashboard/otp',
      figures: {
        blocks: paused.length,
        country: latest.country,
        block: latest.block,
        sent: latest.sent,
        verified,
        refused,
      },
    },
  ];
}

function filtered({ state: { filtered: messages, ended, day } }: Facts): Found[] {
  if (messages < FILTERED_MIN || messages < ended * FILTERED_SHARE_MIN) return [];
  return [
    {
      code: 'messages_filtered',
      severity: 'warning',
      since: null,
      cause: day,
      message: `${counted(messages)} of your last ${counted(ended)} messages were filtered as spam, since yesterday.`,
      action: deliveryErrorOf(FILTERED).remedy,
      path: `/dashboard/messages?reason=${FILTERED}`,
      figures: { filtered: messages, messages: ended, error_code: FILTERED },
    },
  ];
}

function troubled({ id, number, rent, pastDueAt, filteredAt }: TroubledNumber): Found[] {
  const path = `/dashboard/numbers/${publicNumberId(id)}`;
  const figures = { number_id: publicNumberId(id), number };
  const found: Found[] = [];
  if (pastDueAt !== null) {
    const since = new Date(pastDueAt);
    const releasesAt = new Date(since.getTime() + limits.numberGraceDays * DAY_MS);
    found.push({
      code: 'number_past_due',
      severity: 'critical',
      since,
      cause: `${id}:${since.toISOString()}`,
      message:
        `The rent of ${number}, ${inCredits(rent)}, is due and not covered. The number is released on ` +
        `${newYorkTimestamp(releasesAt)} (New York).`,
      action: 'Purchase credits. The rent is taken then.',
      path: PURCHASE,
      figures: { ...figures, credits: rent, releases_at: releasesAt.toISOString() },
    });
  }
  if (filteredAt !== null) {
    const since = new Date(filteredAt);
    found.push({
      code: 'number_filtered',
      severity: 'warning',
      since,
      cause: `${id}:${since.toISOString()}`,
      message: `Carriers filter messages from ${number}, so that your pools do not use it.`,
      action: 'Look at what you send from it and to whom. Then put it back into its pool.',
      path,
      figures,
    });
  }
  return found;
}

const periods = [
  ['perMonth', 'thisMonth', 'month'],
  ['perDay', 'today', 'day'],
] as const;

/** Returns the tighter of a key's two budgets; the month's budget if both are used up. */
function budget(key: BudgetedKey, day: string): Found[] {
  const shares = periods.flatMap(([limit, spent, period]) => {
    const budgeted = key[limit];
    return budgeted === null ? [] : [{ budgeted, period, spent: key[spent], share: key[spent] / budgeted }];
  });
  const [tightest] = shares.toSorted((one, other) => Math.min(1, other.share) - Math.min(1, one.share));
  if (!tightest || tightest.share < BUDGET_SHARE) return [];
  const { budgeted, period, spent } = tightest;
  const isOver = spent >= budgeted;
  return [
    {
      code: 'key_budget',
      severity: isOver ? 'critical' : 'warning',
      since: null,
      cause: `${key.id}:${period}:${period === 'day' ? day : day.slice(0, 7)}${isOver ? ':used' : ''}`,
      message:
        `The key “${key.name}” has used ${counted(spent)} of its ${inCredits(budgeted)} for this ${period}.` +
        (isOver ? ' Its messages are refused.' : ''),
      action: `Raise its budget, or wait for the next ${period} in New York.`,
      path: '/dashboard/key',
      figures: { key_id: key.id, name: key.name, period, budget: budgeted, spent },
    },
  ];
}

function dispute({ state: { disputes, disputedAt, creditsDisputed }, credits: { frozen } }: Facts): Found[] {
  if (disputes === 0) return [];
  return [
    {
      code: 'payment_disputed',
      severity: 'warning',
      since: disputedAt,
      cause: disputedAt?.toISOString() ?? '',
      message:
        `${disputes === 1 ? 'A payment is' : `${disputes} payments are`} disputed with your bank. ` +
        `${inCredits(frozen)} cannot be spent until it is decided.`,
      action: 'If this is a mistake, ask your bank to withdraw the dispute, or contact support.',
      path: '/dashboard/billing',
      figures: { disputes, credits: creditsDisputed, frozen },
    },
  ];
}

/** Returns at most one notification, as the purchase page shows it. */
function topUp({ state, credits: { balance, frozen } }: Facts): Found[] {
  const { chargeStatus, chargeId, cardLast4 } = state;
  const card = cardLast4 ? `Your card ending in ${cardLast4}` : 'Your card';
  if (chargeStatus === 'action_required' && chargeId !== null)
    return [
      {
        code: 'top_up_confirm',
        severity: 'critical',
        since: state.chargedAt,
        cause: chargeId,
        message: 'Your bank asks you to confirm the payment of an automatic top-up. You are charged only after that.',
        action: 'Confirm the payment, within three days.',
        path: `${PURCHASE}?top_up=${chargeId}`,
        figures: { top_up: chargeId, credits: state.chargeCredits, card_last4: cardLast4 },
      },
    ];
  if (state.topUpOn && state.flaggedAt)
    return [
      {
        code: 'top_up_paused',
        severity: 'warning',
        since: state.flaggedAt,
        cause: state.flaggedAt.toISOString(),
        message:
          'Automatic top-up is paused: a payment of your account is disputed, or was taken back after its credits ' +
          'were used. Your card is not charged.',
        action: 'Reply to our email about it, or contact support. Until then purchase credits yourself.',
        path: PURCHASE,
        figures: {},
      },
    ];
  if (state.topUpOffReason !== null)
    return [
      {
        code: 'top_up_off',
        severity: 'critical',
        since: state.chargeEndedAt,
        cause: chargeId ?? '',
        message:
          state.topUpOffReason === 'declined'
            ? `${card} was declined several times, so automatic top-up is off. You were not charged.`
            : 'A payment was not confirmed in time, so automatic top-up is off. You were not charged.',
        action: 'Save another card, then turn automatic top-up on again.',
        path: PURCHASE,
        figures: { reason: state.topUpOffReason, card_last4: cardLast4 },
      },
    ];
  if (state.topUpOn && state.topUpRetryAt)
    return [
      {
        code: 'top_up_declined',
        severity: 'warning',
        since: state.chargeEndedAt,
        cause: chargeId ?? '',
        message:
          (chargeStatus === 'declined'
            ? `${card} was declined: ${declineText(state.chargeReason ?? '')} `
            : 'An automatic top-up failed. ') + 'You were not charged.',
        action:
          'Save another card, or purchase credits. The card is tried again after ' +
          `${newYorkTimestamp(state.topUpRetryAt)} (New York).`,
        path: PURCHASE,
        figures: { card_last4: cardLast4, reason: state.chargeReason, retry_at: state.topUpRetryAt.toISOString() },
      },
    ];
  const { topUpThreshold, topUpsMax, topUpsThisMonth } = state;
  const isUsedUp = topUpsMax !== null && topUpsThisMonth >= topUpsMax;
  if (state.topUpOn && topUpThreshold !== null && balance - frozen < topUpThreshold && isUsedUp)
    return [
      {
        code: 'top_up_limit',
        severity: 'warning',
        since: null,
        cause: `${state.day.slice(0, 7)}:${topUpsMax}`,
        message:
          `This month’s ${topUpsMax === 1 ? 'automatic top-up is' : `${topUpsMax} automatic top-ups are`} used up, ` +
          'and your balance is below its threshold.',
        action: 'Raise the limit, or purchase credits.',
        path: PURCHASE,
        figures: { per_month: topUpsMax, threshold: topUpThreshold },
      },
    ];
  return [];
}

function deletion({ state: { deleteAt } }: Facts): Found[] {
  if (!deleteAt) return [];
  const requestedAt = new Date(deleteAt.getTime() - limits.accountDeletionGraceDays * DAY_MS);
  return [
    {
      code: 'account_deletion',
      severity: 'warning',
      since: requestedAt,
      cause: deleteAt.toISOString(),
      message: `Your account is deleted on ${newYorkTimestamp(deleteAt)} (New York), with its credits and history.`,
      action: 'If you want to keep it, cancel the deletion under Account.',
      path: '/dashboard/account',
      figures: { delete_at: deleteAt.toISOString() },
    },
  ];
}

function welcome({ state: { welcomeFailed } }: Facts): Found[] {
  if (!welcomeFailed) return [];
  return [
    {
      code: 'welcome_email_failed',
      severity: 'warning',
      since: null,
      cause: 'mail',
      message: 'The welcome email could not be sent, so other emails may not reach you either.',
      action: 'Choose Try again on the dashboard.',
      path: '/dashboard',
      figures: {},
    },
  ];
}

function counted(number: number): string {
  return number.toLocaleString('en-US');
}

function inCredits(credits: number): string {
  return `${counted(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
}
