import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/limits.js';
import type { WebhookAnswer } from '#contract/webhooks.js';
import { rotateWebhookSecret } from '../../../api/webhook.js';
import { newYorkTime } from '../../../dashboard/date-time.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { ActionFailure } from '../../../dashboard/ui/action-failure.js';
import { Dialog } from '../../../dashboard/ui/dialog.js';
import { MaskedSecret } from '../../../dashboard/ui/masked-secret.js';
import { Button } from '../../../ui/button.js';
import { showToast } from '../../../ui/toast.js';
import { WebhookCard } from './webhook-card.js';

/** What your server checks signatures with. */
export function WebhookSecret({ webhook: { secret, maskedSecret, previousSecretEndsAt } }: { webhook: WebhookAnswer }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: rotateWebhookSecret,
    onSuccess: (answer) => {
      client.setQueryData(queryKeys.webhookState, answer);
      setAsking(false);
      showToast('The webhook has a new secret.');
    },
    // A lost answer may have been a new secret.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.webhookState }),
  });
  const ask = () => {
    rotate.reset();
    setAsking(true);
  };
  return (
    <WebhookCard title="Signing secret">
      <p>Each webhook is signed with it, so that your server knows that it comes from us.</p>
      <MaskedSecret name="Signing secret" secret={secret} masked={maskedSecret} />
      {previousSecretEndsAt !== null && (
        <p>The secret before this one also signs until {newYorkTime(previousSecretEndsAt)}.</p>
      )}
      <Button onClick={ask}>Rotate secret</Button>
      {isAsking && (
        <Dialog
          title="Rotate the signing secret?"
          onClose={() => setAsking(false)}
          actions={
            <Button look="primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
              {rotate.isPending ? 'Loading...' : 'Rotate secret'}
            </Button>
          }
        >
          <p>
            For {limits.oldWebhookSecretHours} hours both secrets sign, so your server may take up the new one in its
            own time. After that the old one is of no use.
          </p>
          <ActionFailure error={rotate.error} what="The secret could not be rotated." />
        </Dialog>
      )}
    </WebhookCard>
  );
}
