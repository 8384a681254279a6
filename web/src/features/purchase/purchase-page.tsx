import { useEffect, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { messageDollars, type PackId, packs } from '#contract/packs.js';
import type { Region } from '#contract/regions.js';
import { startCheckout } from '../../api/billing.js';
import { cardPayments, type PriceCard, priceCards } from '../../content/pricing.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Flag } from '../../ui/icons.js';
import { RichText } from '../../ui/rich-text.js';
import { Notice } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { View } from '../../ui/view.js';
import { useRegions } from '../site/use-regions.js';
import { checkoutFailure, type CheckoutFailure, checkoutPage } from './checkout.js';
import styles from './purchase.module.css';
import { TopUpCard } from './top-up-card.js';

export default function PurchasePage() {
  const { buy, buying, fault, failure, close } = useBuying();
  const offered = useRegions()
    .filter(({ active }) => active)
    .sort((a, b) => a.creditsPerSms - b.creditsPerSms || a.country.localeCompare(b.country, 'en'));
  const [chosen, setChosen] = useState('US');
  const region = offered.find(({ iso2 }) => iso2 === chosen);
  return (
    <View
      title="Purchase Credits"
      lead="Credits do not expire. Each pack is a one-time payment; there is no subscription."
    >
      {fault !== undefined && (
        <Notice kind="bad" role="alert">
          {fault}
        </Notice>
      )}
      <ul className={styles.packs} aria-label="Packs">
        {priceCards.map((card) => (
          <li key={card.title}>
            <PackCard {...card} region={region} buying={buying} onBuy={buy} />
          </li>
        ))}
      </ul>
      <SupportedRegions offered={offered} chosen={chosen} onChoose={setChosen} />
      <Notice kind="info">
        <RichText text={cardPayments} />
      </Notice>
      <TopUpCard />
      <p className={styles.note}>
        <Link to={`${paths.dashboardAccount}#alerts`}>Alerts</Link> on the Account page write to you before your credits
        end.
      </p>
      {failure !== undefined && (
        <Dialog title="Purchase failed" onClose={close}>
          <p>Your purchase could not be completed. Please try again.</p>
          <p className={styles.why} role="alert">
            {failure}
          </p>
        </Dialog>
      )}
    </View>
  );
}

interface PackCardProps extends PriceCard {
  /** Region for which the pack's credits are converted to messages. */
  readonly region: Region | undefined;
  /** The pack whose checkout is being opened. */
  readonly buying: PackId | undefined;
  readonly onBuy: (pack: PackId) => void;
}

/** A pack with its price and Buy button. The custom offer has a contact link instead. */
function PackCard({
  pack,
  title,
  price,
  amount,
  words,
  credits: worth,
  isRecommended,
  region,
  buying,
  onBuy,
}: PackCardProps) {
  const messages = worth && region && Math.floor(worth / region.creditsPerSms);
  const sold = packs.find(({ id }) => id === pack);
  return (
    <div className={`${styles.card} ${isRecommended ? styles.recommended : ''}`}>
      <h2 className={styles.title}>{title}</h2>
      {isRecommended && <span className={styles.badge}>Recommended</span>}
      <p className={styles.price}>{price}</p>
      <p className={styles.amount}>{amount}</p>
      {messages !== undefined && (
        <p className={styles.words}>
          {messages.toLocaleString('en-US')} {messages === 1 ? 'message' : 'messages'} of one segment to{' '}
          {region?.country}
          {sold && region && `, ${messageDollars(sold, region.creditsPerSms)} each`}
        </p>
      )}
      {words.map((text) => (
        <p key={text} className={styles.words}>
          <RichText text={text} />
        </p>
      ))}
      {pack && (
        <div className={styles.button}>
          {/* Not `disabled`: the button keeps the focus, to which a closed popup returns. */}
          <Button
            look={isRecommended ? 'primary' : 'plain'}
            wide
            aria-disabled={buying !== undefined}
            onClick={() => buying === undefined && onBuy(pack)}
          >
            {buying === pack ? (
              'Loading...'
            ) : (
              <span>
                Buy<span className="visually-hidden"> {title}</span>
              </span>
            )}
          </Button>
        </div>
      )}
    </div>
  );
}

interface SupportedRegionsProps {
  readonly offered: readonly Region[];
  /** ISO 3166-1 alpha-2. */
  readonly chosen: string;
  readonly onChoose: (iso2: string) => void;
}

/** Active countries and their credits per message. The packs show the chosen country's price. */
function SupportedRegions({ offered, chosen, onChoose }: SupportedRegionsProps) {
  return (
    <fieldset className={styles.section}>
      <legend className={styles.regionsTitle}>Supported Regions</legend>
      <div className={styles.regions}>
        {offered.map((region) => (
          <label key={region.code} className={styles.region}>
            <input
              type="radio"
              name="region"
              value={region.code}
              checked={region.iso2 === chosen}
              onChange={() => onChoose(region.iso2)}
            />
            <Flag iso2={region.iso2} />
            <span className={styles.country}>{region.country}</span>
            <span className={styles.credits}>
              {region.creditsPerSms}
              <span className="visually-hidden">{region.creditsPerSms === 1 ? ' credit' : ' credits'} per SMS</span>
            </span>
          </label>
        ))}
      </div>
      <p className={styles.note}>
        The number is the credits of one SMS; a message of several segments uses them for each. Choose a country to see
        its price with each pack. <Link to={paths.regions}>All countries and codes</Link>
      </p>
    </fieldset>
  );
}

interface Buying {
  readonly buy: (pack: PackId) => void;
  /** The pack whose checkout is being opened, until the browser leaves the page. */
  readonly buying: PackId | undefined;
  readonly fault: string | undefined;
  /** Reason why the purchase failed. */
  readonly failure: string | undefined;
  readonly close: () => void;
}

/** Opens a checkout and goes to its page. */
function useBuying(): Buying {
  const [failed, setFailed] = useState<CheckoutFailure>();
  const { mutate, reset, isIdle, variables } = useMutation({
    mutationFn: startCheckout,
    onSuccess: ({ url }) => {
      try {
        window.location.assign(checkoutPage(url));
      } catch (error) {
        showToast(`Stripe checkout error: ${error instanceof Error ? error.message : String(error)}`);
        reset();
      }
    },
    onError: (error) => {
      setFailed(checkoutFailure(error));
      reset();
    },
  });
  useEffect(() => {
    // Going back may restore this page in its busy state.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, [reset]);
  const buy = (pack: PackId) => {
    setFailed(undefined);
    mutate(pack);
  };
  const textOf = (kind: CheckoutFailure['kind']) => (failed?.kind === kind ? failed.text : undefined);
  return {
    buy,
    buying: isIdle ? undefined : variables,
    fault: textOf('fault'),
    failure: textOf('failure'),
    close: () => setFailed(undefined),
  };
}
