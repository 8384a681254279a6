import { Link } from 'react-router';
import { regions } from '#contract/regions.js';
import { paths } from '../../../paths.js';
import { credits } from '../../../ui/credits.js';
import { Flag } from '../../../ui/flag.js';
import styles from './supported-regions.module.css';

const active = regions
  .filter((region) => region.active)
  .sort((a, b) => a.creditsPerSms - b.creditsPerSms || a.country.localeCompare(b.country, 'en'));

/** Where messages can be sent to, and what they cost there. */
export function SupportedRegions() {
  return (
    <section className={styles.section} aria-labelledby="supported-regions">
      <h2 id="supported-regions" className={styles.title}>
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
