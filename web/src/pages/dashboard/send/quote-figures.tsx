import type { ReactNode } from 'react';
import type { QuoteAnswer } from '#contract/dashboard.js';
import { credits } from '../../../ui/credits.js';
import styles from './quote-figures.module.css';
import { shownCharacter } from './shown-character.js';

interface QuoteFiguresProps {
  /** For the text that they describe. */
  readonly id: string;
  readonly quote: QuoteAnswer | undefined;
  /** The figures are those of an earlier text. */
  readonly isOld: boolean;
  readonly isLive: boolean;
}

/** What the server says of the message that is being typed. */
export function QuoteFigures({ id, quote, isOld, isLive }: QuoteFiguresProps) {
  return (
    <div className={styles.quote} data-old={isOld || undefined} aria-busy={isOld}>
      <dl id={id} className={styles.figures}>
        <Figure name="Encoding">{quote && (quote.encoding === 'GSM-7' ? 'GSM-7' : 'Unicode')}</Figure>
        <Figure name="Segments">{quote?.segments.toLocaleString('en-US')}</Figure>
        <Figure name="Left in segment">{quote?.charactersLeft.toLocaleString('en-US')}</Figure>
        <Figure name="Price">{quote?.credits ? credits(quote.credits) : quote && '–'}</Figure>
      </dl>
      <p className={styles.note}>{quote && <Reason quote={quote} />}</p>
      <p className={styles.note}>{quote && <Afterwards quote={quote} isLive={isLive} />}</p>
    </div>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? '–'}</dd>
    </div>
  );
}

function Reason({ quote: { unicodeCharacters } }: { quote: QuoteAnswer }) {
  if (unicodeCharacters.length === 0) return 'Every character is in the GSM-7 alphabet.';
  return (
    <>
      Unicode because of{' '}
      {unicodeCharacters.map((character) => (
        <bdi key={character} className={styles.character}>
          {shownCharacter(character)}
        </bdi>
      ))}
    </>
  );
}

function Afterwards({ quote: { balance, balanceAfter }, isLive }: { quote: QuoteAnswer; isLive: boolean }) {
  if (!isLive) return `A test charges nothing: your balance stays ${credits(balance)}.`;
  if (balanceAfter === null) return `Your balance is ${credits(balance)}.`;
  return `Your balance is ${credits(balance)}; ${credits(balanceAfter)} are left afterwards.`;
}
