import { dollars, messageDollars, type Pack } from '#contract/packs.js';

/** Cost of a month's messages with one kind of pack. */
export interface MonthlyCost extends Pick<Pack, 'id' | 'title'> {
  readonly perMessage: string;
  /** Number of packs that have enough credits. */
  readonly packs: number;
  /** Credits of these packs that the messages do not use. */
  readonly creditsLeft: number;
  readonly price: string;
  /** No other kind of pack costs less. */
  readonly isCheapest: boolean;
}

/** Returns the cost with each pack, for messages of so many credits each. */
export function monthlyCosts(packs: readonly Pack[], messages: number, creditsEach: number): readonly MonthlyCost[] {
  const bought = packs.map((pack) => Math.max(1, Math.ceil((messages * creditsEach) / pack.credits)));
  const cents = packs.map(({ priceCents }, place) => priceCents * (bought[place] ?? 1));
  const cheapest = cents.indexOf(Math.min(...cents));
  return packs.map((pack, place) => ({
    id: pack.id,
    title: pack.title,
    perMessage: messageDollars(pack, creditsEach),
    packs: bought[place] ?? 1,
    creditsLeft: (bought[place] ?? 1) * pack.credits - messages * creditsEach,
    price: dollars(cents[place] ?? pack.priceCents),
    isCheapest: place === cheapest,
  }));
}
