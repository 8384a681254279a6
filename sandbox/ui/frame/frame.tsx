import { type ReactNode, useState } from 'react';
import './frame.css';
import './panes.css';

/** The logo: a copper coin whose rim is a speech bubble, in the current text color. */
function Mark({ size }: { size: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path
        fill="currentColor"
        d="M16 2a13.5 13.5 0 1 1-5.6 25.8L3.7 29.9a.9.9 0 0 1-1.1-1.2l2.2-6A13.5 13.5 0 0 1 16 2Z"
      />
      <g fill="none" stroke="var(--ground)">
        <circle cx="16" cy="15.5" r="9.6" strokeWidth="1.4" />
        <path
          d="M13.4 21.2V10.4h3.5a3.3 3.3 0 0 1 0 6.6h-3.5"
          strokeWidth="2.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </g>
    </svg>
  );
}

// Outline icons on a 24 px grid with 2 px round strokes, like Tabler's.
const shapes = {
  back: <path d="M15 6l-6 6 6 6" />,
  plus: <path d="M12 5v14M5 12h14" />,
  send: <path d="M12 19V5M6 11l6-6 6 6" />,
  search: (
    <>
      <circle cx="10.5" cy="10.5" r="6" />
      <path d="M20 20l-5-5" />
    </>
  ),
  queued: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v5l3 2" />
    </>
  ),
  sent: <path d="M5 12l5 5L20 7" />,
  delivered: <path d="M2 12l5 5L17 7M12 16l1 1L23 7" />,
  undelivered: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v6M12 16.5v.01" />
    </>
  ),
  down: <path d="M12 5v14M6 13l6 6 6-6" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

/** A decorative icon next to its label. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {shapes[name]}
    </svg>
  );
}

const COPIED_FOR_MS = 2_000;

/** Copies a text and confirms it for a moment. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    window.setTimeout(() => setIsCopied(false), COPIED_FOR_MS);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}

export type LiveState = 'connecting' | 'live' | 'lost';

const words: Record<LiveState, string> = { connecting: 'Connecting', live: 'Live', lost: 'Reconnecting' };

/** Connection state as a dot and a word. */
export function LiveWord({ state }: { state: LiveState }) {
  return (
    <span className={`live ${state}`} role="status">
      {words[state]}
    </span>
  );
}

interface FrameProps {
  /** Short name of the page. */
  readonly part: string;
  /** Content at the end of the top bar. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** The shared frame of all pages: banner, top bar and content. */
export function Frame({ part, end, children }: FrameProps) {
  return (
    <div className="frame">
      <p className="frame-banner">Sandbox: nothing leaves this computer</p>
      <header className="frame-top">
        <a className="frame-home" href="/">
          <Mark size={28} />
          <span className="frame-name">Pennytext</span>
        </a>
        <span className="frame-part">{part}</span>
        <div className="frame-end">{end}</div>
      </header>
      <main className="frame-main">{children}</main>
    </div>
  );
}

interface PanesProps {
  /** Name of an item, as in "Choose an e-mail". */
  readonly noun: string;
  readonly isFailed: boolean;
  readonly isEmpty: boolean;
  readonly isLoading: boolean;
  readonly isOpen: boolean;
  /** Content of the empty state. */
  readonly empty: ReactNode;
  readonly list: ReactNode;
  /** The open item; null while it loads. */
  readonly pane: ReactNode;
}

/** A list on the left and the open item on the right; on phones, one at a time. */
export function Panes({ noun, isFailed, isEmpty, isLoading, isOpen, empty, list, pane }: PanesProps) {
  if (isFailed) {
    return (
      <p className="trouble" role="alert">
        The sandbox does not answer. Is it running? This page continues when it is back.
      </p>
    );
  }
  if (isEmpty) return empty;
  return (
    <div className={isOpen ? 'panes has-open' : 'panes'} aria-busy={isLoading}>
      {list}
      {!isOpen && <p className="none-open quiet">Choose {noun} on the left.</p>}
      {isOpen && pane === null && <p className="none-open quiet" role="status" aria-label="Loading" />}
      {isOpen && pane}
    </div>
  );
}
