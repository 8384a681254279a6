import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BatchAnswer } from '#contract/bulk.js';
import type { MessageView } from '#contract/messages.js';
import { failureOf } from '../../api/api-failure.js';
import { batchMessagesQuery, batchQuery } from '../../api/bulk.js';
import { messagePath } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { newYorkTime, orRemoved } from '../../ui/format.js';
import { Card } from '../../ui/surface.js';
import { EmptyView, Facts, View } from '../../ui/view.js';
import { FailureNotice } from '../dashboard/failures.js';
import { StatusLabel } from '../dashboard/status-label.js';
import { CancelBatch } from './cancel-batch.js';
import { CursorPager, useCursor } from './batch-list.js';
import { batchesPath } from './batch-paths.js';
import { BatchProgress } from './batch-progress.js';
import styles from './bulk.module.css';
import { useLiveBatches } from './use-bulk.js';

/** One batch: its progress, its price and its messages. */
export function BatchView({ id }: { id: string }) {
  return (
    <View title="Batch" lead={<Link to={batchesPath}>Back to all batches</Link>}>
      <Batch key={id} id={id} />
    </View>
  );
}

function Batch({ id }: { id: string }) {
  const { data: batch, error, refetch } = useQuery({ ...batchQuery(id), refetchOnMount: 'always' });
  useLiveBatches();
  if (batch)
    return (
      <div className={styles.steps}>
        <Card>
          <div className={styles.form}>
            <BatchProgress batch={batch} />
            <Facts facts={factsOf(batch)} />
            <CancelBatch batch={batch} />
          </div>
        </Card>
        <BatchMessages id={id} />
      </div>
    );
  if (error && failureOf(error).kind === 'refused')
    return (
      <EmptyView title="Batch not found." text="Your account has no batch with this id.">
        <ButtonLink to={batchesPath}>See all batches</ButtonLink>
      </EmptyView>
    );
  if (error)
    return <FailureNotice error={error} what="The batch could not be loaded." onRetry={() => void refetch()} />;
  return <p role="status">Loading...</p>;
}

function factsOf({ batch_id: id, created_at: at, messages, credits: price, refunded }: BatchAnswer) {
  return [
    ['Accepted', newYorkTime(at)],
    ['Batch id', <code key="id">{id}</code>],
    ['Messages', messages.toLocaleString('en-US')],
    ['Price', credits(price)],
    ['Refunded', credits(refunded)],
  ] as const;
}

const columns: readonly Column<MessageView>[] = [
  {
    title: 'Sent To',
    cell: ({ message_id: id, to }) => (
      <Link data-open className={styles.open} to={messagePath(id)} aria-label={`Message to ${orRemoved(to)}`}>
        {orRemoved(to)}
      </Link>
    ),
  },
  { title: 'Message', cell: ({ message }) => <bdi className={styles.text}>{orRemoved(message)}</bdi> },
  { title: 'Reference', cell: ({ reference }) => reference ?? '–' },
  { title: 'Segments Used', isNumber: true, cell: ({ segments }) => segments },
  { title: 'Credits', isNumber: true, cell: (message) => message.credits.toLocaleString('en-US') },
  { title: 'Status', cell: ({ status }) => <StatusLabel status={status} /> },
];

/** The messages of the batch, in pages. */
function BatchMessages({ id }: { id: string }) {
  const { cursor, ...turns } = useCursor();
  const query = useQuery({ ...batchMessagesQuery(id, cursor), refetchOnMount: 'always' });
  const { data, error, refetch, isPlaceholderData } = query;
  if (error && !data)
    return <FailureNotice error={error} what="The messages could not be loaded." onRetry={() => void refetch()} />;
  return (
    <section className={styles.part} aria-labelledby="messages">
      <h2 id="messages" className={styles.title}>
        Messages
      </h2>
      <DataTable
        label="Messages of the batch"
        columns={columns}
        rows={data?.messages}
        keyOf={({ message_id: messageId }) => messageId}
        isBusy={isPlaceholderData || !data}
      />
      <CursorPager {...turns} next={data?.next_cursor ?? undefined} />
    </section>
  );
}
