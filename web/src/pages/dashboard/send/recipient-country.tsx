import type { QuoteAnswer } from '#contract/dashboard.js';
import { credits } from '../../../ui/credits.js';
import { Flag } from '../../../ui/flag.js';
import styles from './recipient-country.module.css';

/** Where the number leads, as far as it is typed. */
export function RecipientCountry({ quote }: { quote: QuoteAnswer | undefined }) {
  return (
    <p className={styles.country} aria-live="polite">
      {quote?.country && quote.iso2 && quote.creditsPerSms ? (
        <>
          <Flag iso2={quote.iso2} />
          <span>
            {quote.country}: {quote.active ? `${credits(quote.creditsPerSms)} per segment` : 'not active yet'}
          </span>
        </>
      ) : (
        'Begin with + and the country code. Without it, the number is one of the USA.'
      )}
    </p>
  );
}
