import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { Tabs } from '../../ui/tabs.js';
import { View } from '../../ui/view.js';
import { useTablePage } from '../../dashboard/frame/dashboard-context.js';
import {
  addressOf,
  filtersIn,
  type HistoryFilters,
  historyIn,
  type HistoryName,
  noFilters,
} from './history-filters.js';
import { ReceivedHistory } from './received-history.js';
import { SentHistory } from './sent-history.js';

const tabs = [
  { name: 'sent', title: 'SMS Sent' },
  { name: 'received', title: 'SMS Received' },
] as const;

export default function MessagesPage() {
  const [address, setAddress] = useSearchParams();
  const { setPage } = useTablePage();
  const name = historyIn(address);
  const query = address.toString();
  const { filters, faults } = useMemo(() => filtersIn(new URLSearchParams(query), name), [query, name]);
  const go = (history: HistoryName, wanted: HistoryFilters) =>
    setAddress(addressOf(history, wanted), { replace: true, preventScrollReset: true });
  const filter = (wanted: HistoryFilters) => {
    // A new filter starts on the first page.
    setPage(1);
    go(name, wanted);
  };
  const History = name === 'sent' ? SentHistory : ReceivedHistory;
  return (
    <View title="SMS History">
      <Tabs label="SMS History" tabs={tabs} chosen={name} onChoose={(history) => go(history, noFilters)}>
        <History filters={filters} faults={faults} onFilter={filter} />
      </Tabs>
    </View>
  );
}
