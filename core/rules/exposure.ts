import type { ExposureBound } from '#contract/exposure.js';

/** A live key, and the rest of its limits for the time that counts. */
export interface ExposedKey {
  /** Null for the account's own key, which has no limits. */
  readonly id: string | null;
  readonly name: string | null;
  /** Credits left of its budgets; null without a budget. */
  readonly budget: number | null;
  /** The price of its dearest message; 0 for a key that cannot send. */
  readonly creditsPerMessage: number;
  readonly buysNumbers: boolean;
  /** Whether the account receives the replies to its messages: always, or because the key can ask for them. */
  readonly bringsReplies: boolean;
}

/** Limits of the amount that strangers with an account's keys can spend. */
export interface ExposureLimits {
  /** Whether the account may send at all. */
  readonly maySend: boolean;
  /** Credits that can be spent, with the credits that top-ups may buy. */
  readonly credits: number;
  /** Messages that the daily limits still allow. */
  readonly messages: number;
  /** Maximum of credits for the replies of one person. */
  readonly creditsOfReplies: number;
  /** Maximum of credits for numbers, with a key that buys numbers. */
  readonly creditsOfNumbers: number;
  readonly keys: readonly ExposedKey[];
}

export interface Exposure {
  readonly credits: number;
  readonly bound: ExposureBound;
}

/**
 * Returns the most credits that can be spent with these keys: their messages, the replies of the
 * recipients, which count against no budget and no daily limit, and the numbers that they buy.
 */
export function exposureOf(limits: ExposureLimits): Exposure {
  const { maySend, messages } = limits;
  const whole: Exposure = { bound: 'balance', credits: Math.max(0, limits.credits) };
  if (!maySend) return { bound: 'sending_off', credits: Math.min(whole.credits, withReplies(limits, 0)) };
  const others: readonly Exposure[] = [
    { bound: 'budgets', credits: withReplies(limits, Infinity) },
    { bound: 'daily_limit', credits: withReplies(limits, messages) },
  ];
  return others.reduce((lowest, other) => (other.credits < lowest.credits ? other : lowest), whole);
}

/** Returns the price of the dearest message that any key can send. */
export function dearestOf(keys: readonly ExposedKey[]): number {
  return Math.max(0, ...keys.map(({ creditsPerMessage }) => creditsPerMessage));
}

/**
 * Adds replies: messages cost at least a credit, so people are at most as many as credits or
 * messages.
 */
function withReplies(limits: ExposureLimits, messages: number): number {
  const { keys, creditsOfReplies } = limits;
  const sent = spendable(keys, messages);
  const people = Math.min(messages, sent);
  const areReceived = keys.some(({ bringsReplies }) => bringsReplies);
  const spent = Math.min(sent + boughtWith(limits), budgetsOf(limits));
  return areReceived && people > 0 ? spent + people * creditsOfReplies : spent;
}

/** Upper bound of the cost of numbers, ignoring other spending from the same budgets. */
function boughtWith({ keys, creditsOfNumbers }: ExposureLimits): number {
  const buying = keys.filter(({ buysNumbers }) => buysNumbers);
  return Math.min(creditsOfNumbers, total(buying.map(({ budget }) => budget ?? Infinity)));
}

/** Maximum of credits that the budgets allow. */
function budgetsOf({ keys, creditsOfNumbers }: ExposureLimits): number {
  return total(
    keys.map(({ budget, creditsPerMessage, buysNumbers }) =>
      Math.min(budget ?? Infinity, creditsPerMessage > 0 ? Infinity : buysNumbers ? creditsOfNumbers : 0),
    ),
  );
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, one) => sum + one, 0);
}

/** Maximum that the keys can spend with this many messages: the dearest messages first. */
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

/** Fractions of messages add up to whole credits despite rounding errors. */
const ROUNDING = 1e-6;
