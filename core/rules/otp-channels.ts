import { limits } from '#contract/limits.js';
import { type CallLanguage, otpChannels, type OtpChannel, type OtherChannel } from '#contract/otp-channels.js';
import { otpText, type OtpText } from './otp.js';
import { spokenText } from './spoken-codes.js';

/** A step of a code: its channel, its recipient, and the seconds until the next step begins. */
export interface OtpStep {
  readonly channel: OtpChannel;
  /** A number in E.164 form, or an address of email. */
  readonly to: string;
  readonly waitSeconds: number;
}

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const WORD = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
/** An address without quotes and comments (RFC 5321, section 4.1.2) at a name with a top-level domain. */
const EMAIL = new RegExp(
  `^(?=.{1,64}@)${WORD}(?:\\.${WORD})*@(?:${LABEL}\\.)+(?:[A-Za-z]{2,63}|xn--[A-Za-z0-9-]{1,59})$`,
);
/** Numbers of directories, pay-per-call exchanges and satellites that numbering plans list as usual ones. */
const COSTLY = /^(?:\+1\d{3}(?:5551212$|976)|\+1600|\+1700|\+1900|\+61147)/;
const WHOLE = /^\d{1,4}$/;

/**
 * Returns the recipient of a message as it is stored. WhatsApp and calls have a prefix, so that a conversation by text
 * messages and its opt-outs stay apart from them.
 */
export function storedRecipient({ channel, to }: Pick<OtpStep, 'channel' | 'to'>): string {
  return channel === 'whatsapp' || channel === 'voice' ? `${channel}:${to}` : to;
}

/** Returns the recipients under which messages to a number, or an address of email, may be stored. */
export function storedRecipientsOf(to: string): string[] {
  return [...new Set(otpChannels.map((channel) => storedRecipient({ channel, to })))];
}

/** Returns the channel of a stored recipient. */
export function channelOf(recipient: string): OtpChannel {
  if (recipient.includes('@')) return 'email';
  if (recipient.startsWith('whatsapp:')) return 'whatsapp';
  return recipient.startsWith('voice:') ? 'voice' : 'sms';
}

/**
 * Parses the seconds until the next step; returns undefined unless they are a whole number within the bounds. Forms
 * send text.
 */
export function stepWaitSecondsOf(given: string | number | null | undefined): number | undefined {
  if (given === null || given === undefined || given === '') return limits.otpStepWaitSecondsDefault;
  if (!WHOLE.test(String(given))) return undefined;
  const seconds = Number(given);
  const { otpStepWaitSecondsMin, otpStepWaitSecondsMax } = limits;
  return seconds >= otpStepWaitSecondsMin && seconds <= otpStepWaitSecondsMax ? seconds : undefined;
}

/** Parses an address of email; undefined for any other text. Its domain is in lower case. */
export function emailAddressOf(text: string): string | undefined {
  const address = text.trim();
  if (address.length > limits.emailCharactersMax || !EMAIL.test(address)) return undefined;
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

/** Returns the mailbox of an address: many deliver an address with a tag after `+` to the address without it. */
export function mailboxOf(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*/, '');
}

/** Whether a number is never called, because a call to it costs much more than others of its country. */
export function isCostlyToCall(e164: string): boolean {
  return COSTLY.test(e164);
}

/**
 * Returns what a carrier gets to send a code by a channel: WhatsApp's template needs the code alone, and a call speaks
 * a language.
 */
export function channelText(channel: OtpChannel, text: OtpText, language?: CallLanguage): string {
  const texts: Readonly<Record<OtherChannel, () => string>> = {
    whatsapp: () => text.code,
    voice: () => spokenText(text, language),
    email: () => otpText({ ...text, domain: undefined }),
  };
  return channel === 'sms' ? otpText(text) : texts[channel]();
}
