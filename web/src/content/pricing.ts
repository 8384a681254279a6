import { dollars, messageDollars, type PackId, packs } from '#contract/packs.js';
import { type Region, regions } from '#contract/regions.js';
import { paths } from '../paths.js';
import { site } from '../site.js';
import { count, creditsMax, creditsMin, freeCredits } from './facts.js';
import type { Markup } from './page.js';

/** One card of the price list. */
export interface PriceCard {
  /** Undefined for the custom offer, which cannot be bought online. */
  readonly pack?: PackId;
  readonly title: string;
  readonly price: string;
  readonly amount: string;
  readonly words: readonly Markup[];
  /** Undefined for the custom offer. */
  readonly credits?: number;
  readonly isRecommended?: boolean;
}

const recommended: PackId = 'basic';

const packFor: Readonly<Record<PackId, Markup>> = {
  starter: 'For trying things out with real messages.',
  basic: 'For a side project, or a small team’s alerts.',
  pro: 'For a business that writes to its customers every week.',
  enterprise: 'For products that send messages all day. The lowest price per credit.',
};

/** The packs and the custom offer. */
export const priceCards: readonly PriceCard[] = [
  ...packs.map(({ id, title, priceCents, credits }) => ({
    pack: id,
    credits,
    isRecommended: id === recommended,
    title,
    price: dollars(priceCents),
    amount: `${count(credits)} credits`,
    words: [`${(priceCents / credits).toFixed(1)}¢ per credit`, packFor[id]],
  })),
  {
    title: 'Custom',
    price: 'Let’s talk',
    amount: 'As many credits as you need',
    words: [`For more than a few thousand messages a month. [Contact sales](mailto:${site.contact})`],
  },
];

/** Price of a message of one segment to a country. */
export interface MessagePrice extends Pick<Region, 'country' | 'iso2' | 'creditsPerSms'> {
  /** Dollar prices with the credits of each pack, in the order of the packs. */
  readonly prices: readonly string[];
}

/** Active countries by name. */
export const messagePrices: readonly MessagePrice[] = regions
  .filter(({ active }) => active)
  .sort((one, other) => one.country.localeCompare(other.country, 'en'))
  .map(({ country, iso2, creditsPerSms }) => ({
    country,
    iso2,
    creditsPerSms,
    prices: packs.map((pack) => messageDollars(pack, creditsPerSms)),
  }));

/** Lowest price of a message with any pack: '$0.02'. */
export const leastDollars = packs.map((pack) => messageDollars(pack, creditsMin)).sort()[0] ?? '';

export const pricingLead: Markup =
  `You buy credits, and messages use them: ${count(creditsMin)} credit for a message to the USA or ` +
  `Canada, up to ${count(creditsMax)} for other countries. No subscription. A new user gets ` +
  `${freeCredits}, once per person.`;

/** Shown while automatic top-up is on but charges nothing. */
export const topUpPaused =
  'Automatic top-up is paused: a payment of your account is disputed, or was taken back after its ' +
  'credits were used. Your card is not charged. Reply to our email about it, or contact support.';

export const cardPayments: Markup =
  'Card payments are handled by Stripe, our card payment provider; your card is not stored by us. A ' +
  'pack is a one-time charge: nothing renews by itself, unless you turn on automatic top-up. By buying ' +
  `you agree to the [Terms of Service](${paths.tos}).`;
