import type { PackId } from '#contract/packs.js';
import { Words } from '../../../components/words.js';
import type { PriceCard } from '../../../content/pricing.js';
import { Button } from '../../../ui/button.js';
import styles from './pack-card.module.css';

interface PackCardProps extends PriceCard {
  /** The pack whose checkout is being opened. */
  readonly buying: PackId | undefined;
  readonly onBuy: (pack: PackId) => void;
}

/** A pack with its price and its button. What is no pack has none: its words say whom to write to. */
export function PackCard({ pack, title, price, amount, words, buying, onBuy }: PackCardProps) {
  return (
    <div className={styles.card}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.price}>{price}</p>
      <p className={styles.amount}>{amount}</p>
      {words.map((text) => (
        <p key={text} className={styles.words}>
          <Words text={text} />
        </p>
      ))}
      {pack && (
        <div className={styles.button}>
          <Button look="primary" wide disabled={buying !== undefined} onClick={() => onBuy(pack)}>
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
