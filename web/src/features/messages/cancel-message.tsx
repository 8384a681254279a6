import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelSent, sentKey, sentMessageQuery } from '../../api/messages.js';
import { Button } from '../../ui/button.js';
import { credits as inCredits } from '../../ui/credits.js';
import { Dialog } from '../../ui/dialog.js';
import { newYorkTime } from '../../ui/format.js';
import { ActionFailure } from '../dashboard/failures.js';

interface CancelMessageProps {
  readonly messageId: string;
  readonly to: string;
  readonly credits: number;
  /** When it leaves, if it is scheduled. */
  readonly sendAt: string | null;
}

/** Cancels a message that waits, after a confirmation. */
export function CancelMessage(message: CancelMessageProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={`Cancel the message to ${message.to}`} onClick={() => setOpen(true)}>
        Cancel
      </Button>
      {isOpen && <ConfirmCancel {...message} onClose={() => setOpen(false)} />}
    </>
  );
}

function ConfirmCancel({ messageId, to, credits, sendAt, onClose }: CancelMessageProps & { onClose: () => void }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelSent(messageId),
    onSuccess: async (answer) => {
      client.setQueryData(sentMessageQuery(messageId).queryKey, answer);
      await client.invalidateQueries({ queryKey: sentKey });
      onClose();
    },
  });
  return (
    <Dialog
      title="Cancel this message?"
      onClose={onClose}
      actions={
        <Button look="primary" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Loading...' : 'Cancel message'}
        </Button>
      }
    >
      <p>
        The message to {to} {sendAt ? `leaves on ${newYorkTime(sendAt)} New York time` : 'waits in the queue'}. It will
        not be sent, and {inCredits(credits)} will be refunded.
      </p>
      <ActionFailure error={cancel.error} what="The message was not canceled." />
    </Dialog>
  );
}
