import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Notification } from '#contract/notifications.js';
import { webhookUrlQuery } from '../../api/account.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/surface.js';
import { useNotifications } from '../../dashboard/notifications/notifications.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useTestEvent } from '../../dashboard/records/test-event.js';
import { WebhookUrlForm } from '../../dashboard/records/webhook-url-form.js';
import styles from './home-page.module.css';

/** The URL that receives replies; with the default, receiving is off. */
export function WebhookUrlCard() {
  const { data, error, refetch } = useQuery(webhookUrlQuery);
  const test = useTestEvent();
  const { shown, dismissed } = useNotifications();
  const fault = [...shown, ...dismissed].find(({ code }) => code === 'webhook_failing' || code === 'webhook_off');
  return (
    <Card>
      <h2 className={styles.title}>Replies</h2>
      {error && !data ? (
        <FailureNotice error={error} what="Your webhook URL could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <div className={styles.replies}>
          <WebhookUrlForm known={data}>
            {data?.receiving && (
              <Button disabled={test.isSending} onClick={() => test.send('message.received')}>
                {test.isSending ? 'Loading...' : 'Send test event'}
              </Button>
            )}
          </WebhookUrlForm>
          {test.result}
          {data ? <Meaning receiving={data.receiving} fault={fault} /> : <p className={styles.meaning}>Loading...</p>}
        </div>
      )}
    </Card>
  );
}

function Meaning({ receiving, fault }: { receiving: boolean; fault: Notification | undefined }) {
  if (receiving && fault)
    return (
      <p className={styles.failing} role="status">
        {fault.message} {fault.action} Every attempt is under <Link to={paths.dashboardWebhook}>Webhook</Link>.
      </p>
    );
  return (
    <p className={styles.meaning}>
      {receiving ? (
        <>
          Receiving is on: every reply is posted to this URL and costs 1 credit. Its secret and attempts are under{' '}
          <Link to={paths.dashboardWebhook}>Webhook</Link>.
        </>
      ) : (
        <>
          This is the default, which means that receiving is off: replies are neither kept nor charged, except those to
          numbers of your own. Enter a URL of your own to receive them.{' '}
          <Link to={paths.receiving}>How replies arrive</Link>
        </>
      )}
    </p>
  );
}
