import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readSentMessage } from '../../../api/histories.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { useMessageNews } from './message-news.js';

/** One sent message, read again whenever something has become of it; and what the webhook is told of that. */
export function useSentMessage(id: string) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: queryKeys.message(id),
    queryFn: () => readSentMessage(id),
    refetchOnMount: 'always',
  });
  const readAgain = () => {
    void query.refetch();
    void client.invalidateQueries({ queryKey: queryKeys.webhookDeliveries });
  };
  useMessageNews({
    onMessages: (messages) => {
      if (messages.some(({ message_id }) => message_id === id)) readAgain();
    },
    onMissed: readAgain,
  });
  return query;
}
