import { type ReactNode, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery } from '#contract/webhooks.js';
import { Moment } from '../../ui/moment.js';
import { Dialog, Question } from '../../ui/dialog.js';
import { cutText } from '../../ui/format.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { cancelSent, sentKey, messageQuery } from '../../api/messages.js';
import { Button } from '../../ui/button.js';
import { credits as inCredits } from '../../ui/credits.js';
import { IconPhoto } from '../../ui/line-icons.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { messageDeliveriesQuery } from '../../api/webhook.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { DeliveryDialog, DeliveryState } from '../../dashboard/records/delivery-dialog.js';
import { filesBeside, textOrMedia } from '../../dashboard/records/text-or-media.js';
import styles from './history.module.css';
import messageWebhooksStyles from './message-webhooks.module.css';

interface MessageCellProps {
  readonly text: string;
  /** Types of the message's files. */
  readonly mediaTypes?: readonly (string | null)[];
  /** A missing text was erased. */
  readonly isTextRemoved?: boolean;
  /** Called to show the whole message. */
  readonly onMore: () => void;
  /** Makes the shown text open the message. */
  readonly opener: (text: ReactNode) => ReactNode;
}

/** The start of a message, which opens it, and a button that shows the rest. */
export function MessageCell({ text, mediaTypes = [], isTextRemoved = true, onMore, opener }: MessageCellProps) {
  const { shown, isCut } = cutText(textOrMedia(text, mediaTypes, isTextRemoved));
  const files = filesBeside(text, mediaTypes);
  return (
    <span className={styles.cell}>
      {opener(<bdi>{shown}</bdi>)}
      {isCut && (
        <button type="button" className={styles.more} onClick={onMore}>
          +<span className="visually-hidden"> whole message</span>
        </button>
      )}
      {files && (
        <span className={styles.beside} role="img" aria-label={files} title={files}>
          <IconPhoto size={16} aria-hidden="true" />
        </span>
      )}
    </span>
  );
}

export interface PoppedMessage {
  readonly messageId: string;
  readonly message: string;
}

interface MessagePopupProps extends PoppedMessage {
  readonly onClose: () => void;
}

/** The whole message, worded as in the product specification, section 2. */
export function MessagePopup({ messageId, message, onClose }: MessagePopupProps) {
  return (
    <Dialog title="Message" onClose={onClose}>
      <p className={styles.popupText}>
        Msg Id - <code className={styles.popupId}>{messageId}</code> <bdi>{message}</bdi>
      </p>
    </Dialog>
  );
}

interface CancelMessageProps {
  readonly messageId: string;
  readonly to: string;
  readonly credits: number;
  /** Send time of a scheduled message. */
  readonly sendAt: string | null;
}

/** Cancels a message that waits, after a confirmation. */
export function CancelMessage(message: CancelMessageProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={`Cancel the message to ${shownNumber(message.to)}`} onClick={() => setOpen(true)}>
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
      client.setQueryData(messageQuery(messageId).queryKey, answer);
      await client.invalidateQueries({ queryKey: sentKey });
      onClose();
    },
  });
  return (
    <Question
      title="Cancel this message?"
      closeTitle="Keep message"
      onClose={onClose}
      actions={
        <Button look="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Loading...' : 'Cancel message'}
        </Button>
      }
    >
      <p>
        The message to <PhoneNumber number={to} />{' '}
        {sendAt ? (
          <>
            leaves on <Moment at={sendAt} />
          </>
        ) : (
          'waits in the queue'
        )}
        . {`It will not be sent, and ${inCredits(credits)} will be refunded.`}
      </p>
      <ActionFailure error={cancel.error} what="The message was not canceled." />
    </Question>
  );
}

/** Live events do not report attempts, so pending deliveries are polled. */
const ASKED_EVERY_MS = 3_000;

/** The webhook deliveries about a message; each opens its attempts. */
export function MessageWebhooks({ messageId }: { messageId: string }) {
  const [shown, show] = useState<string>();
  const { data, error, refetch } = useQuery({
    ...messageDeliveriesQuery(messageId),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === 'pending') ? ASKED_EVERY_MS : false,
  });
  return (
    <section className={messageWebhooksStyles.webhooks} aria-label="Webhooks">
      <h2 className={messageWebhooksStyles.title}>Webhooks</h2>
      {error && <FailureNotice error={error} what="The webhooks could not be loaded." onRetry={() => void refetch()} />}
      {data?.deliveries.length === 0 && (
        <p className={messageWebhooksStyles.none}>Nothing has been sent to your webhook about this message.</p>
      )}
      {data?.deliveries.length !== 0 && (data ?? !error) && (
        <DataTable
          label="Webhooks"
          columns={columnsOpening(show)}
          rows={data?.deliveries}
          keyOf={({ id }) => id}
          placesKept={1}
        />
      )}
      {shown !== undefined && <DeliveryDialog id={shown} onClose={() => show(undefined)} />}
    </section>
  );
}

function columnsOpening(open: (id: string) => void): readonly Column<WebhookDelivery>[] {
  return [
    {
      title: 'Event',
      phone: 'title',
      cell: ({ id, type }) => (
        <button type="button" className={messageWebhooksStyles.open} data-open onClick={() => open(id)}>
          {type}
        </button>
      ),
    },
    {
      title: 'Status',
      phone: 'state',
      cell: ({ status, failure }) => <DeliveryState status={status} failure={failure} />,
    },
    { title: 'Attempts', phone: 'text', isNumber: true, cell: ({ attempts }) => attempts.toLocaleString('en-US') },
  ];
}
