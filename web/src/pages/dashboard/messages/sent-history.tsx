import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { SentRow } from '#contract/histories.js';
import { messagePath } from '../../../paths.js';
import type { Column } from '../../../dashboard/ui/data-table.js';
import { StatusLabel } from '../../../dashboard/ui/status-label.js';
import type { HistoryFilters } from './history-filters.js';
import { HistoryShell } from './history-shell.js';
import { MessageCell } from './message-cell.js';
import { MessagePopup, type PoppedMessage } from './message-popup.js';
import { NothingSent } from './nothing-sent.js';
import styles from './sent-history.module.css';
import { useSentHistory } from './use-sent-history.js';

interface SentHistoryProps {
  readonly filters: HistoryFilters;
  readonly onFilter: (filters: HistoryFilters) => void;
}

/** The messages that the account has sent. */
export function SentHistory({ filters, onFilter }: SentHistoryProps) {
  const history = useSentHistory(filters);
  // Rows move on while a popup is open: it is none of theirs.
  const [popped, pop] = useState<PoppedMessage>();
  const { search } = useLocation();
  return (
    <>
      <HistoryShell
        name="sent"
        filters={filters}
        onFilter={onFilter}
        history={history}
        columns={columnsWith(search, pop)}
        empty={<NothingSent />}
      />
      {popped && <MessagePopup {...popped} onClose={() => pop(undefined)} />}
    </>
  );
}

/** `search` is the address to come back to from a message’s page. */
function columnsWith(search: string, pop: (message: PoppedMessage) => void): readonly Column<SentRow>[] {
  return [
    {
      title: 'Date',
      cell: ({ messageId, date, to }) => (
        <Link
          data-open
          className={styles.open}
          to={messagePath(messageId)}
          state={{ search }}
          aria-label={`${date}, message to ${to}`}
        >
          {date}
        </Link>
      ),
    },
    { title: 'Sent To', cell: ({ to }) => <span className={styles.number}>{to}</span> },
    { title: 'Message', cell: (row) => <MessageCell text={row.message} onMore={() => pop(row)} /> },
    { title: 'Segments Used', isNumber: true, cell: ({ segments }) => segments },
    { title: 'Credits', isNumber: true, cell: (row) => <Credits row={row} /> },
    { title: 'Status', cell: ({ status }) => <StatusLabel status={status} /> },
  ];
}

function Credits({ row: { credits, refunded } }: { row: SentRow }) {
  return (
    <>
      {credits.toLocaleString('en-US')}
      {refunded > 0 && <span className={styles.back}>{refunded.toLocaleString('en-US')} refunded</span>}
    </>
  );
}
