import { type ReactNode, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WebhookUrlAnswer } from '#contract/account.js';
import { updateWebhookUrl, webhookKey, webhookUrlQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { showToast } from '../../ui/toast.js';
import styles from './webhook-url-form.module.css';

interface WebhookUrlFormProps {
  /** Undefined, with a disabled form, until the URL has been read. */
  readonly known: WebhookUrlAnswer | undefined;
  /** A button beside the save button. */
  readonly children?: ReactNode;
}

/** Changes the URL that receives replies and other events. */
export function WebhookUrlForm({ known, children }: WebhookUrlFormProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const { mutateAsync } = useMutation({
    mutationFn: updateWebhookUrl,
    onSuccess: (answer, sent) => {
      // Keeps text that was typed meanwhile.
      setTyped((now) => (now === sent.webhookUrl ? undefined : now));
      client.setQueryData(webhookUrlQuery.queryKey, answer);
      showToast('Webhook URL updated successfully!');
      return client.invalidateQueries({ queryKey: webhookKey });
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
      {children}
    </form>
  );
}

/** The server's explanation of the URL's fault, or of the failed update. */
function faultIn(error: unknown): string {
  const { code, message, detail } = failureOf(error);
  return code === 'webhook_url_invalid' && detail ? `${message} ${detail}` : message;
}
