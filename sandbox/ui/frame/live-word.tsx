export type LiveState = 'connecting' | 'live' | 'lost';

const words: Record<LiveState, string> = { connecting: 'Connecting', live: 'Live', lost: 'Reconnecting' };

/** Whether the page hears of what is new, as a dot and a word. */
export function LiveWord({ state }: { state: LiveState }) {
  return (
    <span className={`live ${state}`} role="status">
      {words[state]}
    </span>
  );
}
