import { otpChannelNames, type OtpChannel } from '#contract/otp-channels.js';
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
  /** Codes of the errors by which steps were refused, by id of their message. */
  readonly refused?: Readonly<Record<string, string>>;
}

/** A step of a code with channels whose message is reserved. */
export interface ReservedStep {
  readonly plan: OtpPlan;
  /** From 1. */
  readonly place: number;
  readonly step: OtpStep;
  /** The step that began last before; equal to `place` or after it if a channel sends the code again. */
  readonly before: number;
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

/** Returns the channel of a step, from 1, and the step that follows it at a time, if one does. */
export function progressOf(
  { plan, creditsMax }: Pick<OtpPlan, 'plan' | 'creditsMax'>,
  step: number,
  stepAt: Date | null,
): StepProgress {
  const next = plan[step];
  return {
    creditsMax,
    channel: plan[step - 1]?.channel ?? 'sms',
    next: next && stepAt ? { channel: next.channel, at: stepAt } : undefined,
  };
}

/**
 * Returns the step that a resend asks for: the channel that it names, or else the step after the latest, or the latest
 * if none follows. Undefined for a code without channels. Returns `invalid_request` for a channel that the code does
 * not have.
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
  return wanted && { plan, place, step: wanted, before: step, isNew: place > step };
}
