import { useQuery } from '@tanstack/react-query';
import type { QuoteAnswer } from '#contract/dashboard.js';
import { smartText } from '#contract/sms-characters.js';
import { quoteQuery } from '../../api/messages.js';
import { credits } from '../../ui/credits.js';
import styles from './plain-offer.module.css';
import { replacementText } from './replacement-text.js';

interface PlainOfferProps {
  readonly message: string;
  /** Price of the message in credits; `after` is the price with plain characters. */
  readonly before: number;
  readonly after: number;
  readonly onReplace: () => void;
}

/** Offers plain characters for typographic characters where that costs less. */
export function PlainOffer({ message, before, after, onReplace }: PlainOfferProps) {
  if (after >= before) return null;
  return (
    <button type="button" className={styles.offer} onClick={onReplace}>
      {replacementText(message)} and pay {credits(after)} instead of {before.toLocaleString('en-US')}
    </button>
  );
}

interface QuotedOfferProps {
  readonly to: string;
  readonly message: string;
  /** Quote of the unchanged message. */
  readonly quote: QuoteAnswer;
  readonly hasFiles: boolean;
  readonly onReplace: (plain: string) => void;
}

/** The offer for a message to one recipient, at the price that the server quotes. */
export function QuotedOffer({ to, message, quote, hasFiles, onReplace }: QuotedOfferProps) {
  const plain = smartText(message);
  const hasOffer = quote.credits !== null && quote.kind === 'sms' && !hasFiles;
  const { data, isPlaceholderData } = useQuery({
    ...quoteQuery({ to, message: plain }),
    // The price of a message with files does not depend on its characters.
    enabled: hasOffer && plain !== message,
  });
  if (plain === message || !data?.credits || !hasOffer || quote.credits === null || isPlaceholderData) return null;
  return (
    <PlainOffer message={message} before={quote.credits} after={data.credits} onReplace={() => onReplace(plain)} />
  );
}
