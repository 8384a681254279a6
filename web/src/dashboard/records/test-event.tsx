import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WebhookEventType } from '#contract/webhooks.js';
import { deliveriesKey, sendTestEvent } from '../../api/webhook.js';
import { Boundary } from '../../ui/boundary.js';
import { BrokenPart } from '../../ui/broken-part.js';
import { ActionFailure } from '../failures/failures.js';

// Home offers the test, and its first load leaves out the code that shows phone numbers.
const DeliveryDialog = lazy(async () => ({ default: (await import('./delivery-dialog.js')).DeliveryDialog }));

interface TestEvent {
  readonly send: (type: WebhookEventType) => void;
  readonly isSending: boolean;
  /** The reason why no event was sent, or a popup with the receiver's answer. */
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
        {shown !== undefined && (
          <Boundary fallback={BrokenPart}>
            <Suspense>
              <DeliveryDialog id={shown} onClose={() => show(undefined)} />
            </Suspense>
          </Boundary>
        )}
      </>
    ),
  };
}
