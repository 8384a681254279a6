import { useQuery } from '@tanstack/react-query';
import { webhookKey } from '../../api/account.js';
import { webhookQuery } from '../../api/webhook.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { View } from '../../ui/view.js';
import { FailureNotice } from '../dashboard/failures.js';
import { useRefresh } from '../dashboard/live-events.js';
import { Deliveries } from './deliveries.js';
import { WebhookEvents } from './webhook-events.js';
import { WebhookAddress, WebhookSecret, WebhookTest } from './webhook-settings.js';
import styles from './webhook.module.css';

const STATE_EVERY_MS = 10_000;

export default function WebhookPage() {
  const { data, error, refetch } = useQuery({
    ...webhookQuery,
    refetchOnMount: 'always',
    // Attempts change the state, and no live event reports them.
    refetchInterval: STATE_EVERY_MS,
  });
  useRefresh(webhookKey);
  return (
    <View
      title="Webhook"
      lead="Your server receives replies, and other events if you turn them on. Times are in New York time."
      actions={<ButtonLink to={paths.webhooks}>How it works</ButtonLink>}
    >
      {error && <FailureNotice error={error} what="Your webhook could not be loaded." onRetry={() => void refetch()} />}
      {data ? (
        <div className={styles.cards}>
          <div className={styles.column}>
            <WebhookAddress webhook={data} />
            <WebhookSecret webhook={data} />
            <WebhookTest isOff={!data.receiving} />
          </div>
          <WebhookEvents webhook={data} />
        </div>
      ) : (
        !error && (
          <p className={styles.loading} role="status">
            Loading...
          </p>
        )
      )}
      {(data || !error) && <Deliveries isOff={!data?.receiving} />}
    </View>
  );
}
