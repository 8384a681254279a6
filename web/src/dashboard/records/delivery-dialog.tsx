import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  type CallbackFormat,
  failureInWords,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookDeliveryAnswer,
  type WebhookDeliveryFilter,
} from '#contract/webhooks.js';
import { conversationPath, messagePath, paths } from '../../paths.js';
import { deliveriesKey, deliveryQuery, resendDelivery } from '../../api/webhook.js';
import { Moment } from '../../ui/moment.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { isTexted, newYorkTime } from '../../ui/format.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import styles from './delivery-dialog.module.css';
import { ActionFailure, FailureNotice } from '../failures/failures.js';
import { IconClock, IconPlayerPause } from '../frame/icons.js';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '../../ui/line-icons.js';

const ASKED_EVERY_MS = 1_000;
const ASKED_SLOWLY_EVERY_MS = 5_000;

interface DeliveryDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** One webhook delivery: its body, and your server's answer to each attempt. */
export function DeliveryDialog({ id, onClose }: DeliveryDialogProps) {
  const client = useQueryClient();
  const query = deliveryQuery(id);
  const { data, error, refetch } = useQuery({
    ...query,
    // The first attempt takes moments, and counts before it has ended; later attempts take minutes.
    refetchInterval: ({ state: { data: seen } }) =>
      seen?.status === 'pending' && (seen.attempts <= 1 ? ASKED_EVERY_MS : ASKED_SLOWLY_EVERY_MS),
  });
  const resend = useMutation({
    mutationFn: resendDelivery,
    onSuccess: (answer) => {
      client.setQueryData(query.queryKey, answer);
      return client.invalidateQueries({ queryKey: deliveriesKey });
    },
  });
  return (
    <Dialog
      title="Webhook delivery"
      onClose={onClose}
      actions={
        data &&
        data.status !== 'pending' && (
          <Button disabled={resend.isPending} onClick={() => resend.mutate(id)}>
            {resend.isPending ? 'Loading...' : 'Resend'}
          </Button>
        )
      }
    >
      {data ? (
        <Details delivery={data} />
      ) : error ? (
        <FailureNotice error={error} what="The webhook could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
      <ActionFailure error={resend.error} what="The webhook was not resent." />
    </Dialog>
  );
}

function Details({ delivery }: { delivery: WebhookDeliveryAnswer }) {
  const { id, type, test, status, failure, about, createdAt, nextAttemptAt, callback, body, attemptList } = delivery;
  return (
    <div className={styles.details}>
      <dl className={styles.facts}>
        <dt>Event</dt>
        <dd>
          <code>{type}</code>
          {test && ' (test)'}
        </dd>
        {callback && (
          <>
            <dt>URL of the message</dt>
            <dd>
              <code>{callback.url}</code> ({formatWords[callback.format]})
            </dd>
          </>
        )}
        <dt>Status</dt>
        <dd>
          <div role="status">
            <DeliveryState status={status} failure={failure} />
          </div>
        </dd>
        {hasSubject(about) && (
          <>
            <dt>About</dt>
            <dd>
              <DeliverySubject about={about} />
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Moment at={createdAt} />
        </dd>
        {nextAttemptAt !== null && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Moment at={nextAttemptAt} />
            </dd>
          </>
        )}
        <dt>webhook-id</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </dl>
      <h3 className={styles.title}>Body</h3>
      <pre className={styles.body} tabIndex={0} role="region" aria-label="Body">
        {indented(body)}
      </pre>
      <h3 className={styles.title}>Attempts</h3>
      {attemptList.length === 0 ? (
        <p>None yet.</p>
      ) : (
        <ol className={styles.attempts}>
          {attemptList.map((attempt) => (
            <Attempt key={attempt.at} {...attempt} />
          ))}
        </ol>
      )}
    </div>
  );
}

/** Indents a JSON text; returns other texts unchanged. The signed bytes are not indented. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Callbacks of other formats are forms; answers can be any text.
    return text;
  }
}

export function Attempt({ at, durationMs, status, answer, error }: WebhookAttempt) {
  return (
    <li>
      <p className={styles.attempt}>
        <strong>{status === null ? 'No answer' : `HTTP ${status}`}</strong>
        <span>
          {newYorkTime(at)} · {durationMs.toLocaleString('en-US')} ms
        </span>
      </p>
      {error !== null && <p className={styles.error}>{error}</p>}
      {answer !== '' && (
        <pre className={styles.body} tabIndex={0} role="region" aria-label="Start of the answer" dir="auto">
          {indented(answer)}
        </pre>
      )}
    </li>
  );
}

/** Callbacks have the form of the API that the message was sent with. */
export const formatWords: Readonly<Record<CallbackFormat, string>> = { twilio: 'Twilio', textbelt: 'Textbelt' };

export const deliveryWords: Readonly<Record<WebhookDeliveryFilter, string>> = {
  retrying: 'Retrying',
  pending: 'Pending',
  paused: 'Paused',
  delivered: 'Delivered',
  failed: 'Failed',
};

const icons = {
  retrying: IconAlertTriangle,
  pending: IconClock,
  paused: IconPlayerPause,
  delivered: IconCircleCheck,
  failed: IconCircleX,
};

/** A delivery status as an icon and a word, and how the last call failed. */
export function DeliveryState({ status, failure }: Pick<WebhookDelivery, 'status' | 'failure'>) {
  const state = status === 'pending' && failure ? 'retrying' : status;
  const Icon = icons[state];
  return (
    <span className={styles.state}>
      <Icon className={styles[state]} size={18} aria-hidden="true" />
      <span>
        {deliveryWords[state]}
        {failure && ` · ${failureInWords(failure)}`}
      </span>
    </span>
  );
}

type Subject = WebhookDelivery['about'];

function hasSubject({ number, messageId, otpId }: Subject): boolean {
  return (number ?? messageId ?? otpId) !== null;
}

const SHOWN_CHARACTERS = 6;

/** Shortens an id to the characters that tell it from others. */
function shortId(id: string): string {
  return `${id.slice(0, 2)}…${id.slice(-SHOWN_CHARACTERS)}`;
}

/** Number and id of an event's subject; links where it has a page. */
export function DeliverySubject({ about }: { about: Subject }) {
  const { number, messageId, otpId, received } = about;
  if (!hasSubject(about)) return '–';
  const pathOfMessage = (id: string) =>
    received
      ? `${paths.dashboardMessages}?${new URLSearchParams({ tab: 'received', text: id }).toString()}`
      : messagePath(id);
  return (
    <span className={styles.subject}>
      {number !== null &&
        (isTexted(number) ? (
          <Link to={conversationPath(number)}>
            <PhoneNumber number={number} />
          </Link>
        ) : (
          <span>
            <PhoneNumber number={number} />
          </span>
        ))}
      {otpId !== null && <code title={otpId}>{shortId(otpId)}</code>}
      {messageId !== null && (
        <Link to={pathOfMessage(messageId)} title={messageId} aria-label={`Message ${messageId}`}>
          <code>{shortId(messageId)}</code>
        </Link>
      )}
    </span>
  );
}
