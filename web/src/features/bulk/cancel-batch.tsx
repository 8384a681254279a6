import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BatchView } from '#contract/bulk.js';
import { batchesKey, cancelBatch } from '../../api/bulk.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { ActionFailure } from '../dashboard/failures.js';

/** Cancels the messages of a batch that wait, after a confirmation. Nothing when none does. */
export function CancelBatch({ batch }: { batch: BatchView }) {
  const [isOpen, setOpen] = useState(false);
  const waiting = batch.statuses.scheduled + batch.statuses.queued;
  if (waiting === 0 && !isOpen) return null;
  return (
    <div>
      <Button onClick={() => setOpen(true)}>Cancel batch</Button>
      {isOpen && <ConfirmCancel batchId={batch.batch_id} waiting={waiting} onClose={() => setOpen(false)} />}
    </div>
  );
}

interface ConfirmCancelProps {
  readonly batchId: string;
  readonly waiting: number;
  readonly onClose: () => void;
}

function ConfirmCancel({ batchId, waiting, onClose }: ConfirmCancelProps) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelBatch(batchId),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: batchesKey });
      onClose();
    },
  });
  const messages = waiting === 1 ? '1 message' : `${waiting.toLocaleString('en-US')} messages`;
  return (
    <Dialog
      title="Cancel this batch?"
      onClose={onClose}
      actions={
        <Button look="primary" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Loading...' : 'Cancel batch'}
        </Button>
      }
    >
      <p>
        {messages} of this batch {waiting === 1 ? 'is' : 'are'} waiting. What is still waiting when you confirm is not
        sent, and its credits are refunded. Messages on their way are not affected.
      </p>
      <ActionFailure error={cancel.error} what="The batch was not canceled." />
    </Dialog>
  );
}
