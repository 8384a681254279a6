import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BatchView, SendBulkAnswer } from '#contract/bulk.js';
import { messageStatuses, type MessageStatus } from '#contract/messages.js';
import { batchQuery } from '../../api/messages.js';
import { Moment } from '../../ui/moment.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { Card, Notice } from '../../ui/surface.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { StatusShape, statusWords } from '../../dashboard/records/status-label.js';
import { messages } from './bulk-preview.js';
import { batchesPath, batchPath, useLiveBatches } from './use-bulk.js';
import styles from './bulk.module.css';

const BAR_WIDTH = 1_000;
const BAR_HEIGHT = 10;
/** Statuses in the order of the bar. */
const barOrder = [
  'delivered',
  'sent',
  'sending',
  'queued',
  'scheduled',
  'canceled',
  'undelivered',
  'failed',
] as const satisfies MessageStatus[];
const over: ReadonlySet<MessageStatus> = new Set<MessageStatus>(['delivered', 'undelivered', 'failed', 'canceled']);

interface OfBatch {
  readonly batch: Pick<BatchView, 'messages' | 'statuses'>;
}

/** Number of messages in a final status. */
export function finishedOf({ statuses }: OfBatch['batch']): number {
  return messageStatuses.reduce((sum, status) => sum + (over.has(status) ? statuses[status] : 0), 0);
}

/** A bar with a part for each status. */
export function StatusBar({ batch }: OfBatch) {
  const { messages: all } = batch;
  const finished = finishedOf(batch);
  return (
    <div
      role="progressbar"
      aria-label="Finished messages"
      aria-valuemin={0}
      aria-valuemax={all}
      aria-valuenow={finished}
      aria-valuetext={`${finished.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`}
    >
      <svg
        className={styles.bar}
        viewBox={`0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {barOrder.map((status, place) => (
          <rect
            key={status}
            x={widthOf(batch, barOrder.slice(0, place))}
            width={widthOf(batch, [status])}
            height={BAR_HEIGHT}
            fill={`var(--status-${status})`}
          />
        ))}
      </svg>
    </div>
  );
}

function widthOf({ messages: all, statuses }: OfBatch['batch'], parts: readonly MessageStatus[]): number {
  return (parts.reduce((sum, status) => sum + statuses[status], 0) / all) * BAR_WIDTH;
}

/** The bar, and the number of messages by status. */
export function BatchProgress({ batch }: OfBatch) {
  const finished = finishedOf(batch);
  return (
    <div className={styles.part}>
      <p className={styles.progressText} role="status">
        {finished === batch.messages
          ? 'All messages are finished.'
          : `${finished.toLocaleString('en-US')} of ${messages(batch.messages)} finished.`}
      </p>
      <StatusBar batch={batch} />
      <dl className={styles.statuses} aria-label="Messages by status">
        {messageStatuses.map((status) => (
          <div key={status}>
            <dt>
              <StatusShape status={status} /> {statusWords[status]}
            </dt>
            <dd>{batch.statuses[status].toLocaleString('en-US')}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface SentBulkProps {
  readonly answer: SendBulkAnswer & { readonly sendAt: string | undefined };
  readonly onAnother: () => void;
}

/** The answer to an accepted bulk, with its live progress. */
export function SentBulk({ answer, onAnother }: SentBulkProps) {
  const { batch_id: id, accepted, credits: price, balance, sendAt } = answer;
  const { data, error, refetch } = useQuery(batchQuery(id));
  useLiveBatches();
  return (
    <div className={styles.steps}>
      <Notice kind="good" role="status">
        {messages(accepted)}{' '}
        {sendAt === undefined
          ? `${accepted === 1 ? 'is' : 'are'} on the way`
          : accepted === 1
            ? 'leaves on '
            : 'leave on '}
        {sendAt !== undefined && <Moment at={sendAt} />} for {credits(price)}. Your balance is {credits(balance)}.
      </Notice>
      <Card>
        <div className={styles.form}>
          <h2 className={styles.title}>
            <Link className={styles.id} to={batchPath(id)}>
              {id}
            </Link>
          </h2>
          {data ? (
            <BatchProgress batch={data} />
          ) : error ? (
            <FailureNotice error={error} what="The batch could not be loaded." onRetry={() => void refetch()} />
          ) : (
            <p role="status">Loading...</p>
          )}
          <div className={styles.act}>
            <ButtonLink to={batchPath(id)}>See the batch</ButtonLink>
            <Button onClick={onAnother}>Send another bulk</Button>
            <Link to={batchesPath}>All batches</Link>
          </div>
        </div>
      </Card>
    </div>
  );
}
