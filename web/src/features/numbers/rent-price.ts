import { useQuery } from '@tanstack/react-query';
import { dollars, type Pack, packs } from '#contract/packs.js';
import { billingQuery } from '../../api/billing.js';
import { credits } from '../../ui/credits.js';

/** The pack that credits are priced by before the first purchase. */
const USUAL_PACK = 'pro';

/** The pack of the account's last purchase. */
function packOf(lastCredits: number | undefined): Pack | undefined {
  return packs.find((pack) => pack.credits === lastCredits) ?? packs.find(({ id }) => id === USUAL_PACK);
}

/** A rent in credits and in dollars: '50 credits, about $1.50 a month'. */
export function rentText(rent: number, lastCredits: number | undefined): string {
  const pack = packOf(lastCredits);
  const price = pack && `, about ${dollars(Math.round((rent * pack.priceCents) / pack.credits))}`;
  return `${credits(rent)}${price ?? ''} a month`;
}

/** Words rents by the pack that the account bought last. */
export function useRentText(): (rent: number) => string {
  const { data } = useQuery(billingQuery(1));
  const lastCredits = data?.records[0]?.credits;
  return (rent) => rentText(rent, lastCredits);
}
