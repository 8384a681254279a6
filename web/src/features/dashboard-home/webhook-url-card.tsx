import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { WebhookUrlAnswer } from '#contract/account.js';
import { updateWebhookUrl, webhookKey, webhookUrlQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import styles from './home-page.module.css';

/** The URL that receives replies; with the default, receiving is off. */
export function WebhookUrlCard() {
  const { data, error, refetch } = useQuery(webhookUrlQuery);
  return (
    <Card>
      <h2 className={styles.title}>Replies</h2>
      {error && !data ? (
        <FailureNotice error={error} what="Your webhook URL could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <WebhookUrlForm known={data} />
      )}
    </Card>
  );
}

function WebhookUrlForm({ known }: { known: WebhookUrlAnswer | undefined }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const { mutateAsync } = useMutation({
    mutationFn: updateWebhookUrl,
    onSuccess: (answer) => {
      setTyped(undefined);
      client.setQueryData(webhookUrlQuery.queryKey, answer);
      void client.invalidateQueries({ queryKey: webhookKey });
      showToast('Webhook URL updated successfully!');
    },
  });
  const webhookUrl = typed ?? known?.webhookUrl ?? '';
  const { faults, isSending, onSubmit } = useForm({
    read: () => ({ body: { webhookUrl } }),
    send: mutateAsync,
    placed: (error) => ({ webhookUrl: faultIn(error) }),
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Field
        label="Webhook URL to Receive SMS"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        disabled={!known}
        value={webhookUrl}
        onChange={({ target }) => setTyped(target.value)}
        fault={faults.webhookUrl}
      />
      <Button type="submit" look="primary" disabled={!known || isSending}>
        {isSending ? 'Loading...' : 'Update'}
      </Button>
      <p className={styles.meaning}>{known ? <Meaning receiving={known.receiving} /> : 'Loading...'}</p>
    </form>
  );
}

function Meaning({ receiving }: { receiving: boolean }) {
  return receiving ? (
    <>
      Receiving is on: every reply is posted to this URL and costs 1 credit. Its secret and its attempts are under{' '}
      <Link to={paths.dashboardWebhook}>Webhook</Link>.
    </>
  ) : (
    <>
      This is the default, which means that receiving is off: replies are neither kept nor charged. Enter a URL of your
      own to receive them. <Link to={paths.receiving}>How replies arrive</Link>
    </>
  );
}

/** The server's explanation of what is wrong with the URL, or why the update failed. */
function faultIn(error: unknown): string {
  const { code, message, detail } = failureOf(error);
  return code === 'webhook_url_invalid' && detail ? `${message} ${detail}` : message;
}
