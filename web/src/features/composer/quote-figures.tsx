import { type ReactNode, useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QuoteAnswer, QuoteBody } from '#contract/dashboard.js';
import { quoteQuery, quotesKey } from '../../api/messages.js';
import { credits } from '../../ui/credits.js';
import { encodingText } from '../../ui/format.js';
import { Characters } from './composer-fields.js';
import { useLiveEvent } from '../../dashboard/live/live-events.js';
import styles from './quote-figures.module.css';

interface QuoteFiguresProps {
  /** Id that the described field references. */
  readonly id: string;
  readonly quote: QuoteAnswer | undefined;
  /** The figures belong to an earlier text. */
  readonly isOld: boolean;
  readonly isLive: boolean;
  /** Shows one line: the price and its causes. */
  readonly isShort?: boolean;
  /** Content beside the reason of the encoding, such as how to pay less. */
  readonly children?: ReactNode;
}

/** The quote of the message being written. */
export function QuoteFigures({ id, quote, isOld, isLive, isShort = false, children }: QuoteFiguresProps) {
  if (isShort)
    return (
      <div className={styles.quote} data-old={isOld || undefined} aria-busy={isOld}>
        <p id={id} className={styles.note}>
          {quote && (
            <>
              {quote.credits ? `${credits(quote.credits)} · ` : ''}
              {quote.kind === 'mms' ? 'MMS' : segmentsOf(quote)} · {quote.charactersLeft.toLocaleString('en-US')}{' '}
              characters left
              {quote.kind !== 'mms' && quote.unicodeCharacters.length > 0 && (
                <>
                  {' '}
                  · <Reason quote={quote} />
                </>
              )}
            </>
          )}
        </p>
        {children}
      </div>
    );
  return (
    <div className={styles.quote} data-old={isOld || undefined} aria-busy={isOld}>
      <dl id={id} className={styles.figures}>
        {quote?.kind === 'mms' ? (
          // An MMS has no alphabet and no segments.
          <Figure name="Sent as">MMS</Figure>
        ) : (
          <>
            <Figure name="Encoding">{quote && encodingText(quote.encoding)}</Figure>
            <Figure name="Segments">{quote?.segments.toLocaleString('en-US')}</Figure>
            <Figure name="Left">{quote?.charactersLeft.toLocaleString('en-US')}</Figure>
          </>
        )}
        <Figure name="Price">{quote?.credits ? credits(quote.credits) : quote && '–'}</Figure>
      </dl>
      <div className={styles.because}>
        {quote && quote.kind !== 'mms' && quote.unicodeCharacters.length > 0 && (
          <p className={styles.note}>
            <Reason quote={quote} />
          </p>
        )}
        {children}
      </div>
      <p className={styles.note}>{quote && <Afterwards quote={quote} isLive={isLive} />}</p>
    </div>
  );
}

const segmentsOf = ({ segments }: QuoteAnswer) =>
  `${segments.toLocaleString('en-US')} ${segments === 1 ? 'segment' : 'segments'}`;

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? '–'}</dd>
    </div>
  );
}

function Reason({ quote: { unicodeCharacters } }: { quote: QuoteAnswer }) {
  return (
    <>
      Unicode because of <Characters characters={unicodeCharacters} />
    </>
  );
}

function Afterwards({ quote: { balance, balanceAfter }, isLive }: { quote: QuoteAnswer; isLive: boolean }) {
  if (!isLive) return `A test charges nothing: your balance stays ${credits(balance)}.`;
  if (balanceAfter === null) return `Your balance is ${credits(balance)}.`;
  return (
    `Your balance is ${credits(balance)}; ${credits(balanceAfter)} ${balanceAfter === 1 ? 'is' : 'are'} ` +
    'left afterwards.'
  );
}

const ASKED_AFTER_MS = 120;

/**
 * The quote of the current text, requested when typing pauses. Until it arrives, `quote` is the
 * previous quote and `isOld` is set; late answers for other texts are ignored.
 */
export function useQuote({ to, message, files, mediaFallback }: QuoteBody) {
  const asked = useSettled(to, message, files, mediaFallback);
  const client = useQueryClient();
  useLiveEvent('balance', () => void client.invalidateQueries({ queryKey: quotesKey }));
  const { data, error, isPlaceholderData, refetch } = useQuery(quoteQuery(asked));
  const isOld =
    isPlaceholderData ||
    asked.to !== to ||
    asked.message !== message ||
    asked.files !== files ||
    asked.mediaFallback !== mediaFallback;
  return { quote: data, isOld, error, retry: () => void refetch() };
}

/** The typed values, debounced. */
function useSettled(
  to: string,
  message: string,
  files: QuoteBody['files'],
  mediaFallback: QuoteBody['mediaFallback'],
): QuoteBody {
  const [settled, setSettled] = useState<QuoteBody>({ to, message, files, mediaFallback });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ to, message, files, mediaFallback }), ASKED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [to, message, files, mediaFallback]);
  return settled;
}
