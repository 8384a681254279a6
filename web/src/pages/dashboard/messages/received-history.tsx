import { useState } from 'react';
import type { ReceivedRow } from '#contract/histories.js';
import type { Column } from '../../../dashboard/ui/data-table.js';
import { StatusLabel } from '../../../dashboard/ui/status-label.js';
import type { HistoryFilters } from './history-filters.js';
import { HistoryShell } from './history-shell.js';
import { MessageCell } from './message-cell.js';
import { MessagePopup, type PoppedMessage } from './message-popup.js';
import { NothingReceived } from './nothing-received.js';
import { ReceivedPopup } from './received-popup.js';
import styles from './received-history.module.css';
import { useReceivedHistory } from './use-received-history.js';

interface ReceivedHistoryProps {
  readonly filters: HistoryFilters;
  readonly onFilter: (filters: HistoryFilters) => void;
}

/** The messages that came for the account. */
export function ReceivedHistory({ filters, onFilter }: ReceivedHistoryProps) {
  const history = useReceivedHistory(filters);
  const [popped, pop] = useState<PoppedMessage>();
  const [opened, open] = useState<ReceivedRow>();
  return (
    <>
      <HistoryShell
        name="received"
        filters={filters}
        onFilter={onFilter}
        history={history}
        columns={columnsWith(open, pop)}
        empty={<NothingReceived />}
      />
      {popped && <MessagePopup {...popped} onClose={() => pop(undefined)} />}
      {opened && <ReceivedPopup message={opened} onClose={() => open(undefined)} />}
    </>
  );
}

function columnsWith(
  open: (row: ReceivedRow) => void,
  pop: (message: PoppedMessage) => void,
): readonly Column<ReceivedRow>[] {
  return [
    {
      title: 'Date',
      cell: (row) => (
        <button
          type="button"
          data-open
          className={styles.open}
          aria-label={`${row.date}, message from ${row.from}`}
          onClick={() => open(row)}
        >
          {row.date}
        </button>
      ),
    },
    { title: 'Received From', cell: ({ from }) => <span className={styles.number}>{from}</span> },
    { title: 'Message', cell: (row) => <MessageCell text={row.message} onMore={() => pop(row)} /> },
    { title: 'Segments Used', isNumber: true, cell: ({ segments }) => segments },
    { title: 'Status', cell: ({ status }) => <StatusLabel status={status} /> },
  ];
}
