import { useRef } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { MessageView } from '#contract/messages.js';
import { messageQuery } from '../../api/messages.js';
import { deliveriesKey } from '../../api/webhook.js';
import { useLiveEvent, useTrailing } from '../../dashboard/live/live-events.js';

/** A message, refetched together with its webhook deliveries whenever its status changes. */
export function useMessage(id: string) {
  const client = useQueryClient();
  const query = useQuery({ ...messageQuery(id), refetchOnMount: 'always' });
  const readAgain = () => {
    void query.refetch();
    void client.invalidateQueries({ queryKey: deliveriesKey });
  };
  useMessageUpdates({
    onMessages: (messages) => {
      if (messages.some(({ message_id }) => message_id === id)) readAgain();
    },
    onMissed: readAgain,
  });
  return query;
}

/** Updates are batched: fifty messages a second cause five renders. */
const REPORT_EVERY_MS = 200;
/** With more pending updates, the view refetches instead. */
const WAITING_MAX = 500;

interface MessageUpdateListeners {
  /** Messages that are new or changed, in their current state. */
  readonly onMessages: (messages: readonly MessageView[]) => void;
  /** Called when updates were missed: the view refetches its messages. */
  readonly onMissed: () => void;
}

/** Reports status updates of messages in batches. */
export function useMessageUpdates({ onMessages, onMissed }: MessageUpdateListeners): void {
  const waiting = useRef(new Map<string, MessageView>());
  const report = useTrailing(() => {
    const messages = [...waiting.current.values()];
    waiting.current.clear();
    if (messages.length > 0) onMessages(messages);
  }, REPORT_EVERY_MS);
  const startOver = () => {
    waiting.current.clear();
    onMissed();
  };
  useLiveEvent('message', (message) => {
    waiting.current.set(message.message_id, message);
    if (waiting.current.size > WAITING_MAX) startOver();
    else report();
  });
  useLiveEvent('live', startOver);
  useLiveEvent('many', startOver);
}
