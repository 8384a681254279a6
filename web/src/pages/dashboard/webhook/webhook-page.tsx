import { useQuery } from '@tanstack/react-query';
import { readWebhook } from '../../../api/webhook.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { View } from '../../../dashboard/ui/view.js';
import { useRefresh } from '../../../dashboard/use-refresh.js';
import { paths } from '../../../paths.js';
import { ButtonLink } from '../../../ui/button.js';
import { Deliveries } from './deliveries.js';
import { WebhookAddress } from './webhook-address.js';
import { WebhookEvents } from './webhook-events.js';
import { WebhookSecret } from './webhook-secret.js';
import { WebhookTest } from './webhook-test.js';
import styles from './webhook-page.module.css';

const STATE_EVERY_MS = 10_000;

export default function WebhookPage() {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.webhookState,
    queryFn: readWebhook,
    refetchOnMount: 'always',
    // Whether it fails is decided by attempts, of which no event tells.
    refetchInterval: STATE_EVERY_MS,
  });
  useRefresh(queryKeys.webhook);
  return (
    <View
      title="Webhook"
      lead="Your server is told of replies, and of more when you ask for it. Times are New York time."
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
