import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { webhookKey } from '../../api/account.js';
import { webhookQuery } from '../../api/webhook.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { Tabs } from '../../ui/tabs.js';
import { View } from '../../ui/view.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { Deliveries } from './deliveries.js';
import { WebhookEvents } from './webhook-events.js';
import { WebhookAddress, WebhookSecret, WebhookState, WebhookTest } from './webhook-settings.js';
import styles from './webhook.module.css';

const STATE_EVERY_MS = 10_000;

const tabs = [
  { name: 'deliveries', title: 'Deliveries' },
  { name: 'settings', title: 'Settings' },
] as const;
type Tab = (typeof tabs)[number]['name'];

/** The webhook's deliveries, or its settings when chosen or while it has no URL. */
export default function WebhookPage() {
  const [address, setAddress] = useSearchParams();
  const { data, error, refetch } = useQuery({
    ...webhookQuery,
    refetchOnMount: 'always',
    // Attempts change the state, and no live event reports them.
    refetchInterval: STATE_EVERY_MS,
  });
  useRefresh(webhookKey);
  // Saving the first URL leaves the settings open.
  const [usual, setUsual] = useState<Tab>();
  if (usual === undefined && data) setUsual(data.receiving ? 'deliveries' : 'settings');
  const chosen = tabs.find(({ name }) => name === address.get('tab'))?.name ?? usual;
  return (
    <View
      title="Webhook"
      lead="Your server receives replies, and other events if you choose them."
      actions={<ButtonLink to={paths.webhooks}>How it works</ButtonLink>}
    >
      {error && <FailureNotice error={error} what="Your webhook could not be loaded." onRetry={() => void refetch()} />}
      {data && <WebhookState webhook={data} />}
      {chosen ? (
        <Tabs
          label="Webhook"
          tabs={tabs}
          chosen={chosen}
          onChoose={(tab) => setAddress({ tab }, { replace: true, preventScrollReset: true })}
        >
          {chosen === 'deliveries' ? (
            <Deliveries isOff={!data?.receiving} />
          ) : (
            data && (
              <div className={styles.cards}>
                <WebhookAddress />
                <WebhookTest isOff={!data.receiving} />
                <div className={styles.whole}>
                  <WebhookSecret webhook={data} />
                </div>
                <div className={styles.whole}>
                  <WebhookEvents webhook={data} />
                </div>
              </div>
            )
          )}
        </Tabs>
      ) : (
        !error && (
          <p className={styles.loading} role="status">
            Loading...
          </p>
        )
      )}
    </View>
  );
}
