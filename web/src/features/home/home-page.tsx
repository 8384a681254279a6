import { Link } from 'react-router';
import { limits } from '#contract/limits.js';
import { dollars, packs } from '#contract/packs.js';
import { PageMeta } from '../../page-meta.js';
import { usePageData } from '../../loading.js';
import { useServedRegions } from '../site/served-regions.js';
import type { HomeData } from '../../page-data.server.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import styles from './home-page.module.css';
import { TypedSample } from './typed-sample.js';
import { Flag, Mark } from '../../ui/icons.js';
import { IconArrowsExchange, IconChecks, IconCoins, IconHash, IconPhoto, IconTerminal2 } from '../../ui/line-icons.js';

/** The first screen presents the service; reasons, countries and prices follow. */
export default function HomePage() {
  const { samples, countries, leastDollars } = usePageData<HomeData>();
  return (
    <div className={styles.page}>
      <PageMeta
        title="Send and Receive SMS with our simple API"
        description={
          'Send text messages with one HTTP POST and receive the replies. Pay as you go with credits, ' +
          'no subscription. New users get 3 free credits, once per person.'
        }
      />
      <section className={styles.hero}>
        <div>
          <h1>Send and Receive SMS with our simple API</h1>
          <p className={styles.lead}>
            One HTTP POST sends a text message. You pay per message with credits, and your first ones are free.
          </p>
          <div className={styles.buttons}>
            <ButtonLink to={paths.login} reloadDocument look="primary" data-when="signed-out">
              Login to Buy Credits
            </ButtonLink>
            <ButtonLink to={paths.dashboard} look="primary" data-when="signed-in">
              Dashboard
            </ButtonLink>
            <ButtonLink to={paths.docs}>View Full Documentation</ButtonLink>
          </div>
        </div>
        <TypedSample samples={samples} />
      </section>
      <Reasons leastDollars={leastDollars} />
      <Countries countries={countries} />
      <Prices />
    </div>
  );
}

/** Reasons to choose the service. */
function Reasons({ leastDollars }: Pick<HomeData, 'leastDollars'>) {
  return (
    <section className={styles.reasons} aria-label="Why Pennytext">
      <div>
        <IconCoins size={28} aria-hidden="true" />
        <h2>Pay as you go</h2>
        <p>
          A message <Link to={paths.pricing}>from {leastDollars}</Link>. No subscription, no minimum. What is not
          delivered costs nothing.
        </p>
      </div>
      <div>
        <IconTerminal2 size={28} aria-hidden="true" />
        <h2>One POST</h2>
        <p>
          Number, message, key: that is the whole request, as JSON or as a form. Add <code>_test</code> to the key and
          nothing is sent or charged.
        </p>
      </div>
      <div>
        <IconArrowsExchange size={28} aria-hidden="true" />
        <h2>Replies and one-time passwords</h2>
        <p>
          Replies come to your webhook. <Link to={paths.otp}>OTP verification</Link> sends a code and checks it, without
          a table of your own.
        </p>
      </div>
      <div>
        <IconPhoto size={28} aria-hidden="true" />
        <h2>Pictures</h2>
        <p>
          Send and receive <Link to={paths.media}>pictures and other files</Link> (MMS) in the USA and Canada.
        </p>
      </div>
      <div>
        <IconHash size={28} aria-hidden="true" />
        <h2>Numbers of your own</h2>
        <p>
          Rent a <Link to={paths.numbers}>phone number</Link>: people always see the same one, and whatever they write
          to it comes to you.
        </p>
      </div>
      <div>
        <IconChecks size={28} aria-hidden="true" />
        <h2>Delivery quality</h2>
        <p>
          Each message shows when it arrived, or why it did not and what to do.{' '}
          <span data-when="figures">
            How many arrive, by country, is <Link to={paths.quality}>public</Link>.
          </span>
        </p>
      </div>
    </section>
  );
}

/** Active countries and their credits per message. */
function Countries({ countries: built }: Pick<HomeData, 'countries'>) {
  const served = useServedRegions()?.filter(({ active }) => active);
  const countries =
    served?.map(({ country, iso2, credits_per_sms: creditsPerSms }) => ({ country, iso2, creditsPerSms })) ?? built;
  return (
    <section className={styles.section} aria-labelledby="countries">
      <div className={styles.top}>
        <h2 id="countries">Send to {countries.length} countries</h2>
        <Link to={paths.regions}>View SMS Credits by Country</Link>
      </div>
      <ul className={styles.list}>
        {countries.map(({ country, iso2, creditsPerSms }) => (
          <li key={iso2} className={styles.country}>
            <Flag iso2={iso2} />
            <span className={styles.name}>{country}</span>
            <span className={styles.credits}>{credits(creditsPerSms)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The packs in one line, and the free credits. */
function Prices() {
  return (
    <section className={styles.section} aria-labelledby="prices">
      <div className={styles.top}>
        <h2 id="prices">Credits, not contracts</h2>
        <Link to={paths.pricing}>All about pricing</Link>
      </div>
      <ul className={styles.packs}>
        {packs.map(({ id, priceCents, credits: count }) => (
          <li key={id}>
            <strong>{dollars(priceCents)}</strong> {credits(count)}
          </li>
        ))}
      </ul>
      <div className={styles.free}>
        <span className={styles.coins} aria-hidden="true">
          {Array.from({ length: limits.signupCredits }, (_, coin) => (
            <Mark key={coin} size={36} />
          ))}
        </span>
        <p>
          <strong>New users get {limits.signupCredits} free credits.</strong> Once per person, and enough to see your
          first message arrive.
        </p>
        <ButtonLink to={paths.login} reloadDocument>
          Get your API key
        </ButtonLink>
      </div>
    </section>
  );
}
