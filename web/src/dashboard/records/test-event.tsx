import { type ReactNode, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WebhookEventType } from '#contract/webhooks.js';
import { deliveriesKey, sendTestEvent } from '../../api/webhook.js';
import { ActionFailure } from '../failures/failures.js';
import { DeliveryDialog } from './delivery-dialog.js';

interface TestEvent {
  readonly send: (type: WebhookEventType) => void;
  readonly isSending: boolean;
  /** Why no event was sent, or a popup with the answer of the receiver. */
  readonly result: ReactNode;
}

/** Sends example events to the account's webhook. */
export function useTestEvent(): TestEvent {
  const client = useQueryClient();
  const [shown, show] = useState<string>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: sendTestEvent,
    onSuccess: ({ id }) => {
      show(id);
      return client.invalidateQueries({ queryKey: deliveriesKey });
    },
  });
  return {
    send: mutate,
    isSending: isPending,
    result: (
      <>
        <ActionFailure error={error} what="No test was sent." />
        {shown !== undefined && <DeliveryDialog id={shown} onClose={() => show(undefined)} />}
      </>
    ),
  };
}
