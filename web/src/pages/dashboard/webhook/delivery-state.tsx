import { IconCircleCheck, IconCircleX, IconClock, IconPlayerPause } from '@tabler/icons-react';
import type { WebhookDeliveryStatus } from '#contract/webhooks.js';
import styles from './delivery-state.module.css';

export const deliveryWords: Readonly<Record<WebhookDeliveryStatus, string>> = {
  pending: 'Pending',
  paused: 'Paused',
  delivered: 'Delivered',
  failed: 'Failed',
};

const icons = { pending: IconClock, paused: IconPlayerPause, delivered: IconCircleCheck, failed: IconCircleX };

/** A state as a shape and a word. */
export function DeliveryState({ status }: { status: WebhookDeliveryStatus }) {
  const Icon = icons[status];
  return (
    <span className={styles.state}>
      <Icon className={styles[status]} size={18} aria-hidden="true" />
      {deliveryWords[status]}
    </span>
  );
}
