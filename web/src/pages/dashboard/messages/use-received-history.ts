import { receivedFilter, type ReceivedRow } from '#contract/histories.js';
import { readReceived } from '../../../api/histories.js';
import { useLiveEvent } from '../../../dashboard/live-events.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import type { HistoryFilters } from './history-filters.js';
import { useHistory } from './use-history.js';
import { useTrailing } from './use-trailing.js';

/** Replies are told by their ids, and read with the page: so often at the most. */
const READ_EVERY_MS = 300;

/** Received messages, as they come in. */
export function useReceivedHistory(filters: HistoryFilters) {
  const history = useHistory<ReceivedRow>({
    queryKey: queryKeys.received,
    filters,
    read: (query) => readReceived({ ...receivedFilter.parse(query), page: query.page }),
  });
  const { answer, isLive, lookForNewer, readAgain } = history;
  const readSoon = useTrailing(readAgain, READ_EVERY_MS);
  useLiveEvent('received', ({ message_ids: ids }) => {
    const isShown = answer?.rows.some(({ messageId }) => ids.includes(messageId)) ?? false;
    if (isLive || isShown) readSoon();
    lookForNewer();
  });
  const startOver = () => {
    readAgain();
    lookForNewer();
  };
  useLiveEvent('live', startOver);
  useLiveEvent('many', startOver);
  return history;
}
