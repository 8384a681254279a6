import { useState, type FormEvent } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { WebhookUrlAnswer } from '#contract/account.js';
import { readWebhookUrl, updateWebhookUrl } from '../../../api/account.js';
import { failureOf } from '../../../api/api-failure.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { paths } from '../../../paths.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { Field } from '../../../ui/field.js';
import { showToast } from '../../../ui/toast.js';
import styles from './webhook-url-card.module.css';

/** Where the account's replies go; the default means nowhere. */
export function WebhookUrlCard() {
  const { data, error, refetch } = useQuery({ queryKey: queryKeys.webhookUrl, queryFn: readWebhookUrl });
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
  const update = useMutation({
    mutationFn: updateWebhookUrl,
    onSuccess: (answer) => {
      setTyped(undefined);
      client.setQueryData(queryKeys.webhookUrl, answer);
      void client.invalidateQueries({ queryKey: queryKeys.webhook });
      showToast('Webhook URL updated successfully!');
    },
  });
  const webhookUrl = typed ?? known?.webhookUrl ?? '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ webhookUrl });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field
        label="Webhook URL to Receive SMS"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        disabled={!known}
        value={webhookUrl}
        onChange={({ target }) => setTyped(target.value)}
        fault={faultOf(update.error)}
      />
      <Button type="submit" look="primary" disabled={!known || update.isPending}>
        {update.isPending ? 'Loading...' : 'Update'}
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

/** What is wrong with the URL, in the server's words; or that it could not be asked. */
function faultOf(error: Error | null): string | undefined {
  if (!error) return undefined;
  const { code, message, detail } = failureOf(error);
  return code === 'webhook_url_invalid' && detail ? `${message} ${detail}` : message;
}
