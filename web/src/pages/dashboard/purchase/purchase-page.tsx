import { Words } from '../../../components/words.js';
import { cardPayments, priceCards } from '../../../content/pricing.js';
import { Dialog } from '../../../dashboard/ui/dialog.js';
import { View } from '../../../dashboard/ui/view.js';
import { Notice } from '../../../ui/notice.js';
import { PackCard } from './pack-card.js';
import { SupportedRegions } from './supported-regions.js';
import { useBuying } from './use-buying.js';
import styles from './purchase-page.module.css';

export default function PurchasePage() {
  const { buy, buying, fault, failure, close } = useBuying();
  return (
    <View title="Purchase Credits" lead="Credits do not expire, and there is no subscription: each pack is paid once.">
      {fault !== undefined && (
        <Notice kind="bad" role="alert">
          {fault}
        </Notice>
      )}
      <ul className={styles.packs} aria-label="Packs">
        {priceCards.map((card) => (
          <li key={card.title}>
            <PackCard {...card} buying={buying} onBuy={buy} />
          </li>
        ))}
      </ul>
      <Notice kind="info">
        <Words text={cardPayments} />
      </Notice>
      <SupportedRegions />
      {failure !== undefined && (
        <Dialog title="Purchase failed" onClose={close}>
          <p>Your purchase could not be completed. Please try again.</p>
          <p className={styles.why} role="alert">
            {failure}
          </p>
        </Dialog>
      )}
    </View>
  );
}
