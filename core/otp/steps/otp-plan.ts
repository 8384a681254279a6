import { type CallLanguage, otpChannelNames, type OtpChannel } from '#contract/otp-channels.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { OtpStep } from '../../rules/otp-channels.js';

/** A step that is being begun is looked at again after this time, if its process has ended meanwhile. */
export const STEP_LEASE_SECONDS = 30;

/** Plan of a code with channels, stored with it as JSON until it is deleted. */
export interface OtpPlan {
  /** The steps in order. */
  readonly plan: readonly OtpStep[];
  /** Price of all steps together, when the code was asked for. */
  readonly creditsMax: number;
  /** Hash of the API key that later steps are charged to, in base64, and whether it is a named key. */
  readonly key: string;
  readonly named: boolean;
  /** The caller's network address. */
  readonly address: string;
  /** The number or pool from which text messages are sent. */
  readonly from?: string | undefined;
  readonly hedgeSeconds?: number | undefined;
  /** Language of the calls; the default if it is missing. */
  readonly language?: CallLanguage | undefined;
  /** Channel of the step after which the code was entered. */
  readonly entered?: string;
  /** Codes of the errors by which steps were refused, by id of their message. */
  readonly refused?: Readonly<Record<string, string>>;
}

/** A step of a code with channels whose message is reserved. */
export interface ReservedStep {
  readonly plan: OtpPlan;
  /** From 1. */
  readonly place: number;
  readonly step: OtpStep;
  /** The plan before: a channel that the caller names goes before those that have not begun. */
  readonly former: OtpPlan;
  /** False for a step whose channel sends the code again. */
  readonly isNew: boolean;
}

/** Progress of a code with channels, as its answers show it. */
export interface StepProgress {
  /** Price of all steps together. */
  readonly creditsMax: number;
  readonly channel: OtpChannel;
  /** The step that begins next, and when; undefined if none does. */
  readonly next: { readonly channel: OtpChannel; readonly at: Date } | undefined;
}

/**
 * Returns the channel of a step, from 1, and the step that follows it at a time, if one does before the code expires.
 */
export function progressOf(
  { plan, creditsMax }: Pick<OtpPlan, 'plan' | 'creditsMax'>,
  step: number,
  { stepAt, expiresAt }: { readonly stepAt: Date | null; readonly expiresAt: Date | null },
): StepProgress {
  const next = plan[step];
  const isInTime = stepAt !== null && expiresAt !== null && stepAt < expiresAt;
  return {
    creditsMax,
    channel: plan[step - 1]?.channel ?? 'sms',
    next: next && isInTime ? { channel: next.channel, at: stepAt } : undefined,
  };
}

/** Returns when the step after one that begins at a time begins; null if none follows. */
export function stepAfter(at: Date, plan: OtpPlan | null, place: number): Date | null {
  const waitSeconds = plan?.plan[place] && plan.plan[place - 1]?.waitSeconds;
  return waitSeconds === undefined ? null : new Date(at.getTime() + waitSeconds * 1_000);
}

/**
 * Returns the step that a resend asks for: the channel that it names, or else the step after the latest, or the latest
 * if none follows. A channel that has not begun goes before the others that have not, which follow it. Undefined for a
 * code without channels. Returns `invalid_request` for a channel that the code does not have.
 */
export function stepAskedFor(
  { plan, step }: { readonly plan: OtpPlan | null; readonly step: number | null },
  channel: OtpChannel | undefined,
): ReservedStep | DomainError | undefined {
  const steps = plan?.plan ?? [];
  const named = steps.findIndex((one) => one.channel === channel);
  if (channel !== undefined && named === -1 && (plan || channel !== 'sms'))
    return new DomainError('invalid_request', `channel: this code does not go by ${otpChannelNames[channel]}.`);
  if (!plan || step === null) return undefined;
  const place = channel === undefined ? Math.min(step + 1, steps.length) : named + 1;
  const wanted = steps[place - 1];
  if (!wanted) return undefined;
  if (place <= step) return { plan, former: plan, place, step: wanted, isNew: false };
  const others = steps.slice(step).filter((one) => one !== wanted);
  const ordered = { ...plan, plan: [...steps.slice(0, step), wanted, ...others] };
  return { plan: ordered, former: plan, place: step + 1, step: wanted, isNew: true };
}
