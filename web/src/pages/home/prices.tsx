import { Link } from 'react-router';
import { limits } from '#contract/limits.js';
import { dollars, packs } from '#contract/packs.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { Mark } from '../../ui/mark.js';
import styles from './prices.module.css';

/** The prices in one line, and the first credits for nothing. */
export function Prices() {
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
          <strong>New users get {limits.signupCredits} free credits.</strong> Enough to see your first message arrive.
        </p>
        <ButtonLink to={paths.login}>Get your API key</ButtonLink>
      </div>
    </section>
  );
}
