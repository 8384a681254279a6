import { z } from 'zod';
import { limits } from './limits.js';

/** Channels by which a one-time password can reach a person. */
export const otpChannels = ['sms', 'whatsapp', 'voice', 'email'] as const;
export type OtpChannel = (typeof otpChannels)[number];

/** Names of the channels in texts and tables. */
export const otpChannelNames: Readonly<Record<OtpChannel, string>> = {
  sms: 'SMS',
  whatsapp: 'WhatsApp',
  voice: 'Voice call',
  email: 'Email',
};

/**
 * Languages in which a call can speak a code, with their names: BCP 47 tags of the languages that Twilio's default
 * voices speak (https://www.twilio.com/docs/voice/twiml/say/text-speech) and that this product has the words of.
 */
export const callLanguageNames = {
  'da-DK': 'Danish',
  'nl-NL': 'Dutch',
  'en-GB': 'English (UK)',
  'en-US': 'English (US)',
  'fi-FI': 'Finnish',
  'fr-CA': 'French (Canada)',
  'fr-FR': 'French (France)',
  'de-DE': 'German',
  'it-IT': 'Italian',
  'nb-NO': 'Norwegian',
  'pl-PL': 'Polish',
  'pt-BR': 'Portuguese (Brazil)',
  'pt-PT': 'Portuguese (Portugal)',
  'es-MX': 'Spanish (Mexico)',
  'es-ES': 'Spanish (Spain)',
  'sv-SE': 'Swedish',
} as const;
export type CallLanguage = keyof typeof callLanguageNames;
export const callLanguages = Object.keys(callLanguageNames) as CallLanguage[];
export const callLanguageDefault: CallLanguage = 'en-US';

/** A channel that carries a code without a text message. */
export type OtherChannel = Exclude<OtpChannel, 'sms'>;

/** Forms send a list of names, separated by commas. */
function listOfNames(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.split(',').map((channel) => ({ channel: channel.trim() }));
}

/**
 * A step of a request: its channel, its recipient if it is not the request's `to`, and the seconds
 * until the next step begins.
 */
const otpStepBody = z.strictObject({
  channel: z.enum(otpChannels),
  to: z.string().nullish(),
  wait_seconds: z.union([z.string(), z.number()]).nullish(),
});
export type OtpStepBody = z.infer<typeof otpStepBody>;

/** The channels of a code in the order in which they are tried. An empty list is refused. */
export const otpChannelsBody = z.preprocess(listOfNames, z.array(otpStepBody).min(1).max(limits.otpStepsMax)).nullish();

/**
 * State of a message with a code. `started`: it waits for its carrier. `refused`: it was not
 * accepted, and nothing was charged. The others are states of messages.
 */
export const otpStepOutcomes = ['started', 'sent', 'delivered', 'undelivered', 'failed', 'refused'] as const;

/**
 * A step of a code. `n` counts from 1. `to` is a number, or an address of email. `credits` is the
 * price without what was refunded.
 */
export const otpStep = z.object({
  n: z.int().positive(),
  channel: z.enum(otpChannels),
  to: z.string(),
  started_at: z.iso.datetime(),
  outcome: z.enum(otpStepOutcomes),
  reason: z.string().nullable(),
  credits: z.int().nonnegative(),
});
export type OtpStepView = z.infer<typeof otpStep>;
