import { Link } from 'react-router';
import type { Region } from '#contract/regions.js';
import { paths } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { Flag } from '../../ui/flag.js';
import styles from './countries.module.css';

export type Country = Pick<Region, 'country' | 'iso2' | 'creditsPerSms'>;

/** Where messages go, and for how many credits. */
export function Countries({ countries }: { countries: readonly Country[] }) {
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
