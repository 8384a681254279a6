import { messageDollars, packs } from '#contract/packs.js';
import type { RegionView } from '#contract/public-figures.js';
import type { MessagePrice, PriceCard } from '../../content/pricing.js';
import { usePageData } from '../../loading.js';
import type { PricingData } from '../../page-data.server.js';
import { PageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { PageFrame } from '../../ui/page-frame.js';
import { RichText } from '../../ui/rich-text.js';
import { Card, Notice } from '../../ui/surface.js';
import { useServedRegions } from '../site/served-regions.js';
import { hasRangeOf, rangeText } from './price-range.js';
import { MessagePrices, PriceCalculator } from './message-prices.js';
import styles from './pricing-page.module.css';

export default function PricingPage() {
  const words = usePageData<PricingData>();
  const served = useServedRegions();
  const prices = served ? pricesOf(served) : words.prices;
  const lead =
    prices.length === 0 || hasRangeOf(prices, words.prices)
      ? words.pricingLead
      : `You buy credits, and messages use them: ${rangeText(prices)}. No subscription.`;
  return (
    <PageFrame title="Pricing" lead={lead}>
      <PageMeta
        title="Pricing"
        description={
          'Text messages paid with credits: four packs, each a one-time charge, and no subscription. ' +
          'The price of a message to each country in dollars, and a calculator.'
        }
      />
      <ul className={styles.cards}>
        {words.priceCards.map((card) => (
          <li key={card.title}>
            <PackCard {...card} />
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <ButtonLink to={paths.login} reloadDocument look="primary" data-when="signed-out">
          Login to Buy Credits
        </ButtonLink>
        <ButtonLink to={paths.dashboardPurchase} look="primary" data-when="signed-in">
          Buy Credits
        </ButtonLink>
        <ButtonLink to={paths.regions}>View SMS Credits by Country</ButtonLink>
      </div>
      <div className={styles.note}>
        <Notice kind="info">
          <RichText text={words.cardPayments} />
        </Notice>
      </div>
      <MessagePrices prices={prices} packs={words.packs} mmsPrice={words.mmsPrice} numberRents={words.numberRents} />
      <PriceCalculator prices={prices} packs={words.packs} />
    </PageFrame>
  );
}

/** Active countries by name. */
function pricesOf(served: readonly RegionView[]): MessagePrice[] {
  return served
    .filter(({ active }) => active)
    .sort((one, other) => one.country.localeCompare(other.country, 'en'))
    .map(({ country, iso2, credits_per_sms: creditsPerSms }) => ({
      country,
      iso2,
      creditsPerSms,
      prices: packs.map((pack) => messageDollars(pack, creditsPerSms)),
    }));
}

function PackCard({ title, price, amount, words }: PriceCard) {
  return (
    <Card>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.price}>{price}</p>
      <p className={styles.amount}>{amount}</p>
      {words.map((text) => (
        <p key={text} className={styles.words}>
          <RichText text={text} />
        </p>
      ))}
    </Card>
  );
}
