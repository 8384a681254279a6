import { useRef } from 'react';
import { sentFilter, type SentRow } from '#contract/histories.js';
import type { MessageView } from '#contract/messages.js';
import { readSent } from '../../../api/histories.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import type { HistoryFilters } from './history-filters.js';
import { useMessageNews } from './message-news.js';
import { withSentNews } from './sent-news.js';
import { useHistory } from './use-history.js';

/** Longer than any read takes, and more than comes meanwhile: what is told while a page is read may be missing in it. */
const HEARD_FOR_MS = 30_000;
const HEARD_MAX = 500;

interface Heard {
  readonly atMs: number;
  readonly message: MessageView;
}

/** Sent messages, changing as they go their way. */
export function useSentHistory(filters: HistoryFilters) {
  const heard = useRef<readonly Heard[]>([]);
  const history = useHistory<SentRow>({
    queryKey: queryKeys.sent,
    filters,
    read: async (query) => {
      const startedAtMs = performance.now();
      const page = await readSent({ ...sentFilter.parse(query), page: query.page });
      const meanwhile = heard.current.filter(({ atMs }) => atMs >= startedAtMs).map(({ message }) => message);
      const { page: _asked, ...conditions } = query;
      const isNewest = page.page === 1 && Object.values(conditions).every((value) => !value);
      return withSentNews(page, meanwhile, isNewest);
    },
  });
  const { answer, isLive, lookForNewer, readAgain, update } = history;
  useMessageNews({
    onMessages: (messages) => {
      const atMs = performance.now();
      const recent = heard.current.filter((one) => atMs - one.atMs < HEARD_FOR_MS);
      heard.current = [...recent, ...messages.map((message) => ({ atMs, message }))].slice(-HEARD_MAX);
      update((page) => withSentNews(page, messages, isLive));
      const shown = new Set(answer?.rows.map(({ messageId }) => messageId));
      if (messages.some(({ message_id: id }) => !shown.has(id))) lookForNewer();
    },
    onMissed: () => {
      readAgain();
      lookForNewer();
    },
  });
  return history;
}
