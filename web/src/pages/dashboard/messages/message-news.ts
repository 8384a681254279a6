import { useRef } from 'react';
import type { MessageView } from '#contract/messages.js';
import { useLiveEvent } from '../../../dashboard/live-events.js';
import { useTrailing } from './use-trailing.js';

/** So often at the most is what arrives told: fifty messages a second are five changes of the page. */
const TOLD_EVERY_MS = 200;
/** More that wait to be told are forgotten, and the view is read again instead. */
const WAITING_MAX = 500;

interface MessageNewsListeners {
  /** The messages that are new or have changed, each as it stands now. */
  readonly onMessages: (messages: readonly MessageView[]) => void;
  /** Something was missed: what is shown has to be read again. */
  readonly onMissed: () => void;
}

/** Tells what becomes of sent messages, several at a time. */
export function useMessageNews({ onMessages, onMissed }: MessageNewsListeners): void {
  const waiting = useRef(new Map<string, MessageView>());
  const tell = useTrailing(() => {
    const messages = [...waiting.current.values()];
    waiting.current.clear();
    if (messages.length > 0) onMessages(messages);
  }, TOLD_EVERY_MS);
  const startOver = () => {
    waiting.current.clear();
    onMissed();
  };
  useLiveEvent('message', (message) => {
    waiting.current.set(message.message_id, message);
    if (waiting.current.size > WAITING_MAX) startOver();
    else tell();
  });
  useLiveEvent('live', startOver);
  useLiveEvent('many', startOver);
}
