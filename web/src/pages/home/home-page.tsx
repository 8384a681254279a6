import { useLoaderData } from 'react-router';
import { regions } from '#contract/regions.js';
import { pageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { Countries, type Country } from './countries.js';
import { homeSamples } from './home-samples.server.js';
import { Prices } from './prices.js';
import { Reasons } from './reasons.js';
import { TypedSample } from './typed-sample.js';
import styles from './home-page.module.css';

export const meta = pageMeta(
  'Send and Receive SMS with our simple API',
  'Send text messages with one HTTP POST and receive the replies. Pay as you go with credits, no subscription. New users get 3 free credits.',
);

/** Runs at build. */
export function loader() {
  const countries: Country[] = regions
    .filter(({ active }) => active)
    .map(({ country, iso2, creditsPerSms }) => ({ country, iso2, creditsPerSms }));
  return { samples: homeSamples, countries };
}

/** What it is, in one screen; what it does and costs, below. */
export default function HomePage() {
  const { samples, countries } = useLoaderData<typeof loader>();
  return (
    <div className={styles.page}>
      <section className={styles.hero}>
        <div>
          <h1>Send and Receive SMS with our simple API</h1>
          <p className={styles.lead}>
            One HTTP POST sends a text message. You pay per message with credits, and your first ones are free.
          </p>
          <div className={styles.buttons}>
            <ButtonLink to={paths.login} look="primary">
              Login to Buy Credits
            </ButtonLink>
            <ButtonLink to={paths.docs}>View Full Documentation</ButtonLink>
          </div>
        </div>
        <TypedSample samples={samples} />
      </section>
      <Reasons />
      <Countries countries={countries} />
      <Prices />
    </div>
  );
}
