import { IconAlertTriangle, IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { WebhookAnswer } from '#contract/webhooks.js';
import { enableWebhook } from '../../../api/webhook.js';
import { newYorkTime } from '../../../dashboard/date-time.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { ActionFailure } from '../../../dashboard/ui/action-failure.js';
import { paths } from '../../../paths.js';
import { Button } from '../../../ui/button.js';
import { WebhookCard } from './webhook-card.js';
import styles from './webhook-address.module.css';

const reasons = {
  gone: 'your server answered 410 Gone',
  failing: 'it had failed for five days',
  operator: 'the operator has turned it off; please contact support',
} as const;

/** Where webhooks go, whether they do, and the way to turn them on again. */
export function WebhookAddress({ webhook }: { webhook: WebhookAnswer }) {
  const client = useQueryClient();
  const enable = useMutation({
    mutationFn: enableWebhook,
    onSuccess: (answer) => {
      client.setQueryData(queryKeys.webhookState, answer);
      void client.invalidateQueries({ queryKey: queryKeys.webhookDeliveries });
    },
  });
  const { url, receiving, disabled } = webhook;
  const { Icon, look, text } = stateOf(webhook);
  return (
    <WebhookCard title="URL">
      {receiving && <code className={styles.url}>{url}</code>}
      <p className={`${styles.state} ${styles[look]}`}>
        <Icon size={20} aria-hidden="true" />
        <span>{text}</span>
      </p>
      {disabled && disabled.reason !== 'operator' && (
        <Button look="primary" disabled={enable.isPending} onClick={() => enable.mutate()}>
          {enable.isPending ? 'Loading...' : 'Enable'}
        </Button>
      )}
      <ActionFailure error={enable.error} what="The webhook was not turned on." />
      <Link to={paths.dashboard}>{receiving ? 'Change the URL on Home' : 'Set a URL on Home'}</Link>
    </WebhookCard>
  );
}

function stateOf({ receiving, disabled, failingSince }: WebhookAnswer) {
  if (!receiving)
    return {
      Icon: IconCircleMinus,
      look: 'quiet',
      text: 'Off: no URL is set, so replies are not received.',
    } as const;
  if (disabled) {
    const text = `Turned off on ${newYorkTime(disabled.at)}: ${reasons[disabled.reason]}. What comes waits for seven days.`;
    return { Icon: IconCircleX, look: 'bad', text } as const;
  }
  if (failingSince !== null) {
    const text = `Failing since ${newYorkTime(failingSince)}. Each webhook is tried again; after five days it is turned off.`;
    return { Icon: IconAlertTriangle, look: 'bad', text } as const;
  }
  return { Icon: IconCircleCheck, look: 'good', text: 'On: webhooks are sent here.' } as const;
}
