import type { ExposureBound } from '#contract/exposure.js';

/** A live key, and what its limits leave of the time that counts. */
export interface ExposedKey {
  /** Null for the account's own key, which has no limits. */
  readonly id: string | null;
  readonly name: string | null;
  /** Credits left of its budgets; null without one. */
  readonly budget: number | null;
  /** The price of its dearest message; 0 for a key that cannot send. */
  readonly creditsPerMessage: number;
}

/** All that bounds what strangers with an account's keys can spend. */
export interface ExposureLimits {
  /** False while the account may not send at all. */
  readonly maySend: boolean;
  readonly balance: number;
  /** The part of the balance that cannot be spent. */
  readonly frozen: number;
  /** Null when it is off or charges nothing. */
  readonly topUp: { readonly threshold: number; readonly credits: number } | null;
  /** Messages that the daily limits leave. */
  readonly messages: number;
  readonly keys: readonly ExposedKey[];
  /** Mails when the balance falls below it; null when off. */
  readonly lowCredits: number | null;
  /** Mails when a day's spend reaches the threshold; null when off. */
  readonly dailySpend: { readonly threshold: number; readonly spentToday: number } | null;
}

export interface Exposure {
  readonly credits: number;
  readonly bound: ExposureBound;
}

/**
 * Returns the most credits that can be spent with these keys before an alert is mailed, and within
 * what is left of two days. The message that sets off an alert is spent too. An alert that was set
 * off before is not counted: it is not mailed again in time.
 */
export function exposureOf(limits: ExposureLimits): Exposure {
  const { balance, frozen, topUp, keys, messages, lowCredits, dailySpend } = limits;
  if (!limits.maySend) return { credits: 0, bound: 'sending_off' };
  const bought = topUp?.credits ?? 0;
  const dearest = dearestOf(keys);
  const bounds: Exposure[] = [
    { bound: 'balance', credits: balance - frozen + bought },
    { bound: 'budgets', credits: spendable(keys, Infinity) },
    { bound: 'daily_limit', credits: spendable(keys, messages) },
  ];
  if (lowCredits !== null && balance >= lowCredits) {
    // A top-up above the alert's threshold keeps the balance over it until the last one is used.
    const refilled = topUp && topUp.threshold > lowCredits ? bought : 0;
    bounds.push({ bound: 'low_credits_alert', credits: balance + refilled - lowCredits + dearest });
  }
  if (dailySpend && dailySpend.spentToday < dailySpend.threshold) {
    // Just below the threshold today, and again after midnight.
    const { threshold, spentToday } = dailySpend;
    bounds.push({ bound: 'daily_spend_alert', credits: 2 * (threshold - 1) - spentToday + dearest });
  }
  const [first, ...others] = bounds;
  const lowest = others.reduce((one, other) => (other.credits < one.credits ? other : one), first ?? nothing);
  return { ...lowest, credits: Math.max(0, lowest.credits) };
}

const nothing: Exposure = { credits: 0, bound: 'sending_off' };

/** The price of the dearest message that one of the keys can send. */
export function dearestOf(keys: readonly ExposedKey[]): number {
  return Math.max(0, ...keys.map(({ creditsPerMessage }) => creditsPerMessage));
}

/** The most that the keys can spend with so many messages: the dearest messages first. */
function spendable(keys: readonly ExposedKey[], messages: number): number {
  let [left, credits] = [messages, 0];
  for (const { budget, creditsPerMessage } of keys.toSorted((a, b) => b.creditsPerMessage - a.creditsPerMessage)) {
    if (creditsPerMessage === 0 || left <= 0 || credits === Infinity) break;
    const spent = Math.min(budget ?? Infinity, left * creditsPerMessage);
    credits += spent;
    left -= spent / creditsPerMessage;
  }
  return Math.floor(credits + ROUNDING);
}

/** Fractions of messages add up to whole credits. */
const ROUNDING = 1e-6;
