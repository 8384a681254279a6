import { View } from '../../../dashboard/ui/view.js';
import { ActivityCard } from './activity/activity-card.js';
import { CreditCards } from './credit-cards.js';
import { DocsCard } from './docs-card.js';
import styles from './home-page.module.css';
import { WebhookUrlCard } from './webhook-url-card.js';

/** What an account has, what its messages did, and where its replies go. */
export default function HomePage() {
  return (
    <View title="Home">
      <CreditCards />
      <ActivityCard />
      <div className={styles.cards}>
        <WebhookUrlCard />
        <DocsCard />
      </div>
    </View>
  );
}
