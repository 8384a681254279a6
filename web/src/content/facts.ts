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

/**
 * Countries of one-time passwords in a new installation. The operator may open other countries, and
 * texts that are written at build time mention that.
 */
export const otpCountries = 'the USA and Canada only, unless the operator of this service has changed that';

const prices = regions.filter(({ active }) => active).map(({ creditsPerSms }) => creditsPerSms);
/** Prices of a new installation; a page shows them until it has the current prices. */
export const creditsMin = Math.min(...prices);
export const creditsMax = Math.max(...prices);

/** '$3 for 50 credits' for every pack, cheapest first. */
export const packOffers: readonly string[] = packs.map(
  ({ priceCents, credits }) => `${dollars(priceCents)} for ${count(credits)} credits`,
);

/** Default price of an MMS: `MMS_CREDITS` changes it. */
export const mmsCredits = `${limits.mmsCreditsDefault} credits`;
/** Default rents: `NUMBER_CREDITS_LOCAL` and `NUMBER_CREDITS_TOLL_FREE` change them. */
export const localRent = `${limits.numberCreditsLocalDefault} credits`;
export const tollFreeRent = `${limits.numberCreditsTollFreeDefault} credits`;
export const freeCredits = `${limits.signupCredits} free credits`;
export const dailyLimit = count(limits.dailyMessagesDefault);
export const bodyKibibytes = count(limits.apiBodyBytesMax / 1_024);

/** Time limit for the answer of a webhook. */
export const webhookAnswerSeconds = 10;

/** Waits between the attempts of a failing webhook. */
export const webhookWaits = ['5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h'] as const;

/** A webhook that has only failed for this long is turned off. */
export const webhookFailingDaysMax = 5;
