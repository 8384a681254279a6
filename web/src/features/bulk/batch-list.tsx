import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BatchView } from '#contract/bulk.js';
import { batchesQuery } from '../../api/bulk.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { newYorkTime } from '../../ui/format.js';
import { EmptyView } from '../../ui/view.js';
import { FailureNotice } from '../dashboard/failures.js';
import { batchPath } from './batch-paths.js';
import { finishedOf, StatusBar } from './batch-progress.js';
import styles from './bulk.module.css';
import { useLiveBatches } from './use-bulk.js';

const columns: readonly Column<BatchView>[] = [
  {
    title: 'Date',
    cell: ({ batch_id: id, created_at: at, messages }) => (
      <Link
        data-open
        className={styles.open}
        to={batchPath(id)}
        aria-label={`${newYorkTime(at)}, batch of ${messages.toLocaleString('en-US')}`}
      >
        {newYorkTime(at)}
      </Link>
    ),
  },
  { title: 'Messages', isNumber: true, cell: ({ messages }) => messages.toLocaleString('en-US') },
  { title: 'Progress', cell: (batch) => <Progress batch={batch} /> },
  { title: 'Delivered', isNumber: true, cell: ({ statuses }) => statuses.delivered.toLocaleString('en-US') },
  { title: 'Credits', isNumber: true, cell: ({ credits }) => credits.toLocaleString('en-US') },
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
  const { cursor, ...turns } = useCursor();
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...batchesQuery(cursor), refetchOnMount: 'always' });
  useLiveBatches();
  if (error && !data)
    return <FailureNotice error={error} what="Your batches could not be loaded." onRetry={() => void refetch()} />;
  if (data?.batches.length === 0 && cursor === undefined)
    return (
      <EmptyView title="No batches yet." text="Every bulk you send will be listed here, with its progress.">
        <p>
          <Link to={paths.dashboardBulk}>Send the first one</Link>.
        </p>
      </EmptyView>
    );
  return (
    <div className={styles.steps}>
      <DataTable
        label="Batches"
        columns={columns}
        rows={data?.batches}
        keyOf={({ batch_id: id }) => id}
        isBusy={isPlaceholderData || !data}
      />
      <CursorPager {...turns} next={data?.next_cursor ?? undefined} />
    </div>
  );
}

/** The place in a list that is read page by page, each named by the cursor of the one before it. */
export function useCursor() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1),
    page: cursors.length + 1,
    onBack: () => setCursors(cursors.slice(0, -1)),
    onNext: (next: string) => setCursors([...cursors, next]),
  };
}

interface CursorPagerProps extends Omit<ReturnType<typeof useCursor>, 'cursor'> {
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** Previous and Next below a table; nothing when there is one page. */
export function CursorPager({ page, next, onBack, onNext }: CursorPagerProps): ReactNode {
  if (page === 1 && next === undefined) return null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <Button disabled={page === 1} onClick={onBack}>
        Previous
      </Button>
      <p aria-live="polite">Page {page.toLocaleString('en-US')}</p>
      <Button
        disabled={next === undefined}
        onClick={() => {
          if (next !== undefined) onNext(next);
        }}
      >
        Next
      </Button>
    </nav>
  );
}
