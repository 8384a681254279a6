import { useEffect, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PackId } from '#contract/packs.js';
import { type Region, regions } from '#contract/regions.js';
import { type AlertsAnswer, alertsBody, dailySpendMax } from '#contract/billing.js';
import { limits } from '#contract/limits.js';
import { alertsQuery, changeAlerts, startCheckout } from '../../api/billing.js';
import { cardPayments, type PriceCard, priceCards } from '../../content/pricing.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { credits } from '../../ui/credits.js';
import { Dialog } from '../../ui/dialog.js';
import { Flag } from '../../ui/icons.js';
import { RichText } from '../../ui/rich-text.js';
import { Notice, Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { View } from '../../ui/view.js';
import { Field, Select } from '../../ui/field.js';
import { foundBy, formText, useForm } from '../../ui/form.js';
import { wholeNumber } from '../../ui/format.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { checkoutFailure, type CheckoutFailure, checkoutPage } from './checkout.js';
import styles from './purchase.module.css';
import { TopUpCard } from './top-up-card.js';

export default function PurchasePage() {
  const { buy, buying, fault, failure, close } = useBuying();
  const [region, setRegion] = useState(active.find(({ iso2 }) => iso2 === 'US'));
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
      <div className={styles.calculator}>
        <Select
          label="Messages to"
          value={region?.code ?? ''}
          options={active.map(({ code, country }) => [code, country])}
          onChange={(code) => setRegion(active.find((one) => one.code === code))}
        />
      </div>
      <ul className={styles.packs} aria-label="Packs">
        {priceCards.map((card) => (
          <li key={card.title}>
            <PackCard {...card} region={region} buying={buying} onBuy={buy} />
          </li>
        ))}
      </ul>
      <Notice kind="info">
        <RichText text={cardPayments} />
      </Notice>
      <div className={styles.cards}>
        <TopUpCard />
        <AlertsCard />
      </div>
      <SupportedRegions />
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
  /** Of the messages that the pack's credits are converted to. */
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
        </p>
      )}
      {words.map((text) => (
        <p key={text} className={styles.words}>
          <RichText text={text} />
        </p>
      ))}
      {pack && (
        <div className={styles.button}>
          {/* Not `disabled`, so that it keeps the focus: it is where a closed popup returns to. */}
          <Button
            look="primary"
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

const active = regions
  .filter((region) => region.active)
  .sort((a, b) => a.creditsPerSms - b.creditsPerSms || a.country.localeCompare(b.country, 'en'));

/** Active countries and their credits per message. */
function SupportedRegions() {
  return (
    <section className={styles.section} aria-labelledby="supported-regions">
      <h2 id="supported-regions" className={styles.regionsTitle}>
        Supported Regions
      </h2>
      <ul className={styles.regions}>
        {active.map(({ code, iso2, country, creditsPerSms }) => (
          <li key={code}>
            <Flag iso2={iso2} />
            <span className={styles.country}>{country}</span>
            <span className={styles.credits}>{credits(creditsPerSms)} per SMS</span>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        A message of several segments uses these credits for each.{' '}
        <Link to={paths.regions}>All countries and codes</Link>
      </p>
    </section>
  );
}

interface Buying {
  readonly buy: (pack: PackId) => void;
  /** The pack whose checkout is being opened, until the browser leaves the page. */
  readonly buying: PackId | undefined;
  readonly fault: string | undefined;
  /** Why the purchase failed. */
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

/** Emails about a low balance and about a day's spend. */
function AlertsCard() {
  const { data, error, refetch } = useQuery({ ...alertsQuery, refetchOnMount: 'always' });
  return (
    <Panel title="Alerts" id="alerts">
      {data ? (
        <AlertsForm key={JSON.stringify({ ...data, spentToday: 0 })} alerts={data} />
      ) : error ? (
        <FailureNotice error={error} what="Your alerts could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </Panel>
  );
}

const upTo = (max: number) => `A whole number from 1 to ${max.toLocaleString('en-US')}.`;
const faultTexts = { lowCredits: upTo(limits.lowCreditsMax), dailySpend: upTo(dailySpendMax) };

/** The form is rendered again with each answer. */
function AlertsForm({ alerts }: { alerts: AlertsAnswer }) {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: changeAlerts,
    onSuccess: (answer) => {
      client.setQueryData(alertsQuery.queryKey, answer);
      showToast('Your alerts were saved.');
    },
  });
  const { inputOf, isSending, failure, onSubmit } = useForm({
    read: (form) => {
      const given = {
        lowCreditsMail: form.has('lowCreditsMail'),
        lowCredits: wholeNumber(formText(form, 'lowCredits')),
        dailySpend: form.has('wantsSpend') ? wholeNumber(formText(form, 'dailySpend')) : null,
      };
      return foundBy(alertsBody, given, faultTexts);
    },
    send: mutateAsync,
  });
  return (
    <form className={styles.cardForm} onSubmit={onSubmit} noValidate>
      <div className={styles.choice}>
        <label className={choice.choice}>
          <input type="checkbox" name="lowCreditsMail" defaultChecked={alerts.lowCreditsMail} />
          Email me when my balance falls below
        </label>
        <Field
          {...inputOf('lowCredits')}
          label="Credits left"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={alerts.lowCredits}
        />
      </div>
      <div className={styles.choice}>
        <label className={choice.choice}>
          <input type="checkbox" name="wantsSpend" defaultChecked={alerts.dailySpend !== null} />
          Email me when a day uses
        </label>
        <Field
          {...inputOf('dailySpend')}
          label="Credits per New York day"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={alerts.dailySpend ?? ''}
        />
      </div>
      <p className={styles.note}>
        Used today, less refunds: {credits(alerts.spentToday)}. A webhook gets the same alerts as{' '}
        <code>credits.low</code> and <code>credits.daily_spend</code>.
      </p>
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Loading...' : 'Save alerts'}
      </Button>
      <ActionFailure error={failure} what="Your alerts were not saved." />
    </form>
  );
}
