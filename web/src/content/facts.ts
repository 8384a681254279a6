import { limits } from '#contract/limits.js';
import { dollars, packs } from '#contract/packs.js';
import { regions } from '#contract/regions.js';

/** A number with separators: '1,000'. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** 'a, b and c' for use in a sentence: 'the USA and Canada'. */
export const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { style: 'long', type: 'conjunction' }).format(
    names.map((name) => (/^U[A-Z]+$/.test(name) ? `the ${name}` : name)),
  );

/** Countries that messages can be sent to. */
export const activeCountries: readonly string[] = regions.filter(({ active }) => active).map(({ country }) => country);

/** Countries that one-time passwords can be sent to, USA first. */
export const otpCountries: readonly string[] = regions
  .filter(({ otp }) => otp)
  .map(({ country }) => country)
  .reverse();

const prices = regions.filter(({ active }) => active).map(({ creditsPerSms }) => creditsPerSms);
export const creditsMin = Math.min(...prices);
export const creditsMax = Math.max(...prices);

/** '$3 for 50 credits' for every pack, cheapest first. */
export const packOffers: readonly string[] = packs.map(
  ({ priceCents, credits }) => `${dollars(priceCents)} for ${count(credits)} credits`,
);

export const freeCredits = `${limits.signupCredits} free credits`;
export const dailyLimit = count(limits.dailyMessagesDefault);
export const bodyKibibytes = count(limits.apiBodyBytesMax / 1_024);

/** How long a webhook may take to answer. */
export const webhookAnswerSeconds = 10;

/** Waits between the attempts of a failing webhook. */
export const webhookWaits = ['5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h'] as const;

/** A webhook that has only failed for this long is turned off. */
export const webhookFailingDaysMax = 5;
