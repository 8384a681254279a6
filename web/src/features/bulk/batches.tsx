import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BatchAnswer, BatchView } from '#contract/bulk.js';
import type { MessageView } from '#contract/messages.js';
import { batchesKey, batchesQuery, batchMessagesQuery, batchQuery, cancelBatch } from '../../api/messages.js';
import { messagePath, paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { type Column, CursorPager, DataTable, useCursor } from '../../ui/data-table.js';
import { exactTimes, newYorkMoment, orRemoved } from '../../ui/format.js';
import { NumberOrRemoved } from '../../ui/phone-number.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { Moment } from '../../ui/moment.js';
import { EmptyView, Facts, View } from '../../ui/view.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { failureOf } from '../../api/api-failure.js';
import { credits } from '../../ui/credits.js';
import { Card } from '../../ui/surface.js';
import { OutcomeLabel } from '../../dashboard/records/reason.js';
import { Question } from '../../ui/dialog.js';
import { batchesPath, batchPath, useLiveBatches } from './use-bulk.js';
import { BatchProgress, finishedOf, StatusBar } from './batch-progress.js';
import styles from './bulk.module.css';

const batchColumns: readonly Column<BatchView>[] = [
  {
    title: 'Date',
    phone: 'title',
    cell: ({ batch_id: id, created_at: at, messages }) => (
      <Link
        data-open
        className={styles.open}
        to={batchPath(id)}
        title={exactTimes(at)}
        aria-label={`${newYorkMoment(at)}, batch of ${messages.toLocaleString('en-US')}`}
      >
        {newYorkMoment(at)}
      </Link>
    ),
  },
  { title: 'Messages', phone: 'time', isNumber: true, cell: ({ messages }) => messages.toLocaleString('en-US') },
  { title: 'Progress', phone: 'text', cell: (batch) => <Progress batch={batch} /> },
  { title: 'Delivered', isNumber: true, cell: ({ statuses }) => statuses.delivered.toLocaleString('en-US') },
  { title: 'Credits', phone: 'more', isNumber: true, cell: (batch) => batch.credits.toLocaleString('en-US') },
  { title: 'Refunded', isNumber: true, cell: ({ refunded }) => refunded.toLocaleString('en-US') },
];

function Progress({ batch }: { batch: BatchView }) {
  const finished = finishedOf(batch);
  return (
    <div className={styles.progress}>
      <StatusBar batch={batch} />
      <span className={styles.hint}>
        {finished === batch.messages ? 'Finished' : `${Math.floor((finished / batch.messages) * 100)} % finished`}
      </span>
    </div>
  );
}

/** The account's batches, newest first, with their progress. */
export function BatchList() {
  const { cursor, ...turns } = useCursor<string>();
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...batchesQuery(cursor), refetchOnMount: 'always' });
  useLiveBatches();
  if (error && !data)
    return <FailureNotice error={error} what="Your batches could not be loaded." onRetry={() => void refetch()} />;
  if (data?.batches.length === 0 && cursor === undefined)
    return (
      <EmptyView title="No batches yet." text="Every bulk you send is listed here with its progress.">
        <p>
          <Link to={paths.dashboardBulk}>Send the first one</Link>.
        </p>
      </EmptyView>
    );
  return (
    <div className={styles.steps}>
      <DataTable
        label="Batches"
        columns={batchColumns}
        rows={data?.batches}
        keyOf={({ batch_id: id }) => id}
        isBusy={isPlaceholderData || !data}
      />
      <CursorPager {...turns} next={data?.next_cursor ?? undefined} />
    </div>
  );
}

/** A batch: its progress, price and messages. */
export function OneBatch({ id }: { id: string }) {
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
    ['Accepted', <Moment key="at" at={at} />],
    ['Batch id', <code key="id">{id}</code>],
    ['Messages', messages.toLocaleString('en-US')],
    ['Price', credits(price)],
    ['Refunded', credits(refunded)],
  ] as const;
}

const messageColumns: readonly Column<MessageView>[] = [
  {
    title: 'Sent To',
    phone: 'title',
    cell: ({ message_id: id, to }) => (
      <Link
        data-open
        className={styles.open}
        to={messagePath(id)}
        aria-label={`Message to ${orRemoved(shownNumber(to))}`}
      >
        <NumberOrRemoved number={to} />
      </Link>
    ),
  },
  { title: 'Message', phone: 'text', cell: ({ message }) => <bdi className={styles.text}>{orRemoved(message)}</bdi> },
  { title: 'Reference', cell: ({ reference }) => reference ?? '–' },
  {
    title: 'Segments Used',
    phone: 'more',
    isNumber: true,
    cell: ({ segments }) => segments.toLocaleString('en-US'),
  },
  { title: 'Credits', isNumber: true, cell: (message) => message.credits.toLocaleString('en-US') },
  { title: 'Status', phone: 'state', cell: ({ status, reason }) => <OutcomeLabel status={status} reason={reason} /> },
];

/** The messages of the batch, in pages. */
function BatchMessages({ id }: { id: string }) {
  const { cursor, ...turns } = useCursor<string>();
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
        columns={messageColumns}
        rows={data?.messages}
        keyOf={({ message_id: messageId }) => messageId}
        isBusy={isPlaceholderData || !data}
      />
      <CursorPager {...turns} next={data?.next_cursor ?? undefined} />
    </section>
  );
}

/** Cancels a batch's waiting messages after a confirmation; hidden when there are none. */
function CancelBatch({ batch }: { batch: BatchView }) {
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
    <Question
      title="Cancel this batch?"
      closeTitle="Keep batch"
      onClose={onClose}
      actions={
        <Button look="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Loading...' : 'Cancel batch'}
        </Button>
      }
    >
      <p>
        {messages} of this batch {waiting === 1 ? 'is' : 'are'} waiting. What is still waiting when you confirm is not
        sent, and its credits are refunded. Messages on their way are not affected.
      </p>
      <ActionFailure error={cancel.error} what="The batch was not canceled." />
    </Question>
  );
}
