import { limits } from '#contract/limits.js';
import { type OtpChannel, otpChannelNames, type OtpStepBody } from '#contract/otp-channels.js';
import type { OtpSettingsAnswer } from '#contract/otp.js';
import { isEmail } from '#contract/sign-up.js';
import { credits } from '../../ui/credits.js';
import { wholeNumber } from '../../ui/format.js';

/** A channel of a code that is being composed. */
export interface ChosenChannel {
  readonly channel: OtpChannel;
  /** The address of email as it was typed; '' for a channel that reaches the number of the code. */
  readonly to: string;
  /** The seconds until the next channel as they were typed. */
  readonly wait: string;
}

/** A text message alone, which is what a code without `channels` is. */
export const smsAlone: readonly ChosenChannel[] = [chosen('sms')];

export function chosen(channel: OtpChannel): ChosenChannel {
  return { channel, to: '', wait: String(limits.otpStepWaitSecondsDefault) };
}

/** Channels that can be chosen: calls only once there is a country with calls. */
export function offeredIn({ channels, voiceCountries }: Pick<OtpSettingsAnswer, 'channels' | 'voiceCountries'>) {
  return channels.filter(({ channel }) => channel !== 'voice' || voiceCountries.length > 0);
}
export type OfferedChannels = ReturnType<typeof offeredIn>;

/** Moves an item of a list by one place; the first and the last stay within the list. */
export function moved<Item>(list: readonly Item[], from: number, by: -1 | 1): readonly Item[] {
  const to = Math.min(Math.max(from + by, 0), list.length - 1);
  const item = list[from];
  return item === undefined ? list : list.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** The most that a code can cost: all its channels together, in credits. */
export function creditsMaxOf(list: readonly ChosenChannel[], offered: OfferedChannels): number {
  return list.reduce((sum, { channel }) => sum + priceOf(channel, offered), 0);
}

function priceOf(channel: OtpChannel, offered: OfferedChannels): number {
  return offered.find((one) => one.channel === channel)?.credits ?? 0;
}

const nouns: Readonly<Record<OtpChannel, string>> = {
  sms: 'an SMS',
  whatsapp: 'a WhatsApp message',
  voice: 'a call',
  email: 'an email',
};

/** Prices of the channels other than SMS, and of all together: 'A call costs 3 credits; the most this code can …'. */
export function costText(list: readonly ChosenChannel[], offered: OfferedChannels): string {
  const prices = list.flatMap(({ channel }) =>
    channel === 'sms' ? [] : [[nouns[channel], credits(priceOf(channel, offered))] as const],
  );
  const parts = prices.map(([noun, price], place) => (place === 0 ? `${noun} costs ${price}` : `${noun} ${price}`));
  const sentence = new Intl.ListFormat('en-US').format(parts);
  const whole = `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`;
  if (list.length === 1) return whole === '' ? '' : `${whole}.`;
  return `${whole}; the most this code can cost is ${credits(creditsMaxOf(list, offered))}.`;
}

/** Errors of the fields of a channel. */
export interface ChannelFaults {
  readonly to?: string;
  readonly wait?: string;
}

/** Errors of the chosen channels, by channel; empty if there are none. */
export function faultsOf(list: readonly ChosenChannel[]): Readonly<Partial<Record<OtpChannel, ChannelFaults>>> {
  const { otpStepWaitSecondsMin: min, otpStepWaitSecondsMax: max } = limits;
  const found = list.flatMap(({ channel, to, wait }, place): [OtpChannel, ChannelFaults][] => {
    const seconds = wholeNumber(wait);
    const isWaitWrong = place < list.length - 1 && !(seconds >= min && seconds <= max);
    const isAddressWrong = channel === 'email' && !isEmail(to.trim());
    const faults = {
      ...(isAddressWrong && { to: 'Enter an address such as ann@example.com.' }),
      ...(isWaitWrong && { wait: `Enter a whole number from ${min} to ${max}.` }),
    };
    return isAddressWrong || isWaitWrong ? [[channel, faults]] : [];
  });
  return Object.fromEntries(found);
}

/** The `channels` of a request; undefined for a text message alone, which needs none. The last channel has no wait. */
export function channelsOf(list: readonly ChosenChannel[]): OtpStepBody[] | undefined {
  if (list.length === 1 && list[0]?.channel === 'sms') return undefined;
  return list.map(({ channel, to, wait }, place) => ({
    channel,
    ...(channel === 'email' && { to: to.trim() }),
    ...(place < list.length - 1 && { wait_seconds: wholeNumber(wait) }),
  }));
}

/** The order of the channels, for people: 'SMS, then Voice call'. */
export function orderText(channels: readonly OtpChannel[]): string {
  return channels.map((channel) => otpChannelNames[channel]).join(', then ');
}
