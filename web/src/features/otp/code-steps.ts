import { deliveryErrorOf, isKnownDeliveryError } from '#contract/delivery-errors.js';
import type { OtpChannel, OtpStepView } from '#contract/otp-channels.js';
import type { MessageStatus } from '#contract/messages.js';
import type { OtpMessageView, OtpView } from '#contract/otp.js';
import { credits } from '../../ui/credits.js';

type Progress = Pick<OtpView, 'status' | 'steps' | 'next_channel' | 'next_channel_at'>;

/** Whether a code goes by another channel than SMS, or by several. */
export function hasChannels({ steps, next_channel: next }: Pick<OtpView, 'steps' | 'next_channel'>): boolean {
  return next !== null || steps.some(({ channel }) => channel !== 'sms');
}

type Messages = Pick<OtpView, 'messages' | 'steps' | 'next_channel' | 'entered_step'>;

/**
 * The message that shows whether the code arrived: the first delivered, or the message after which a code with channels
 * was entered, or else the latest that was accepted.
 */
export function decisiveOf(otp: Messages): OtpMessageView | undefined {
  const { messages, entered_step: entered } = otp;
  return (
    messages.find(({ status }) => status === 'delivered') ??
    (entered !== null && hasChannels(otp) ? messages[entered - 1] : undefined) ??
    messages.findLast(({ status }) => status !== null) ??
    messages.at(-1)
  );
}

/** The channels of a code in the order in which they were first used. */
export function channelsUsed({ steps }: Pick<OtpView, 'steps'>): readonly OtpChannel[] {
  return [...new Set(steps.map(({ channel }) => channel))];
}

/** The channel that begins next, and when. None follows a message that was delivered. */
export function nextStepOf(otp: Progress): { readonly channel: OtpChannel; readonly at: string } | undefined {
  const { status, steps, next_channel: channel, next_channel_at: at } = otp;
  if (status !== 'pending' || channel === null || at === null) return undefined;
  return steps.at(-1)?.outcome === 'delivered' ? undefined : { channel, at };
}

/** Announcement of the next step by its channel; the time follows. */
export const nextWords: Readonly<Record<OtpChannel, string>> = {
  sms: 'Sends an SMS at',
  whatsapp: 'Sends a WhatsApp message at',
  voice: 'Calls at',
  email: 'Sends an email at',
};

/** Condition that keeps the next step from beginning. An email has no delivery receipt. */
export function unlessText(latest: OtpChannel): string {
  if (latest === 'email') return 'unless the code is entered';
  return `unless the code is entered or ${latest === 'voice' ? 'the call is answered' : 'delivered'}`;
}

type Outcome = OtpStepView['outcome'];

const messageWords: Readonly<Record<Outcome, string>> = {
  started: 'On its way',
  sent: 'Sent',
  delivered: 'Delivered',
  undelivered: 'Undelivered',
  failed: 'Failed',
  refused: 'Not sent',
};
const callWords: Readonly<Record<Outcome, string>> = {
  started: 'About to call',
  sent: 'Called',
  delivered: 'Answered',
  undelivered: 'Not reached',
  failed: 'Failed',
  refused: 'Not called',
};

/** The outcome of a step as a word. */
export function outcomeText({ channel, outcome }: Pick<OtpStepView, 'channel' | 'outcome'>): string {
  return (channel === 'voice' ? callWords : messageWords)[outcome];
}

/** The status whose shape stands beside the outcome of a step. */
export const outcomeShapes: Readonly<Record<Outcome, MessageStatus | 'limited'>> = {
  started: 'sending',
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  refused: 'limited',
};

/** Refusals of a step that is begun later than its code was asked for. */
const refusals: Readonly<Record<string, string>> = {
  no_credits: 'No credits were left',
  insufficient_credits: 'Too few credits were left',
  key_budget: 'The budget of the key was spent',
  price_above_max: 'It would have cost more than allowed',
  channel_unsupported: 'The channel is no longer offered',
  channel_disabled: 'The channel is closed for this country',
  region_inactive: 'The country is closed',
  region_unsupported: 'The country is closed',
  country_disabled: 'The country is switched off in your account',
  number_type_unsupported: 'The number is of a type that the channel does not reach',
  rate_limited: 'Too many codes to this recipient',
  otp_suspicious: 'Paused by the fraud guard',
  key_expired: 'The key had expired',
  unknown_api_key: 'The key no longer worked',
  key_scope: 'The key may no longer send codes',
  key_address: 'The key may no longer be used from this address',
  key_country: 'The key may not send to this country',
  number_not_verified: 'Free credits only reach your own numbers',
  url_not_activated: 'Links are not activated for your account',
  account_blocked: 'The account was blocked',
  delivery_suspended: 'Sending was paused',
  from_unknown: 'The sender is no longer yours',
  from_inactive: 'The sender is not active',
};

/** The reason of a step's outcome in words; undefined without one. */
export function stepReason({ outcome, reason }: Pick<OtpStepView, 'outcome' | 'reason'>): string | undefined {
  if (reason === null) return undefined;
  if (outcome !== 'refused' || isKnownDeliveryError(reason)) return deliveryErrorOf(reason).reason;
  return refusals[reason] ?? 'Refused';
}

/** Cost of a step: its price without refunded credits. */
export function stepCost({ outcome, credits: price }: Pick<OtpStepView, 'outcome' | 'credits'>): string {
  if (price > 0) return credits(price);
  if (outcome === 'started') return 'Not charged yet';
  if (outcome === 'refused') return 'Not charged';
  return 'Refunded';
}
