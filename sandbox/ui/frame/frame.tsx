import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { LIST_ADDRESS, type LiveState } from './live.js';
import './frame.css';
import './panes.css';
import { IconChevronLeft } from './icons.js';

// Events announce changes, so nothing is read again for other reasons.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: Infinity, refetchOnWindowFocus: false } },
});

/** Renders a page into its HTML file. */
export function mount(page: ReactNode): void {
  const root = document.getElementById('page');
  if (root === null) throw new Error('The HTML file has no element with the id "page".');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>{page}</QueryClientProvider>
    </StrictMode>,
  );
}

const liveLabels: Record<LiveState, string> = { connecting: 'Connecting', live: 'Live', lost: 'Reconnecting' };

interface FrameProps {
  /** Short name of the page. */
  readonly part: string;
  readonly live: LiveState;
  readonly children: ReactNode;
}

/** The shared frame of all pages: banner, top bar with the connection state, and content. */
export function Frame({ part, live, children }: FrameProps) {
  return (
    <div className="frame">
      <p className="frame-banner">Sandbox: nothing leaves this computer</p>
      <header className="frame-top">
        <a className="frame-home" href="/">
          <img src="/pages/mark.svg" width={28} height={28} alt="" />
          <span className="frame-name">Pennytext</span>
        </a>
        <span className="frame-part">{part}</span>
        <span className={`frame-end live ${live === 'live' ? 'is-live' : ''}`} role="status">
          {liveLabels[live]}
        </span>
      </header>
      <main className="frame-main">{children}</main>
    </div>
  );
}

/** Notice while the sandbox cannot be reached. */
export function Trouble() {
  return (
    <p className="trouble" role="alert">
      The sandbox does not answer. Is it running? This page continues when it is back.
    </p>
  );
}

interface PanesProps {
  /** Name of an item, as in "Choose an email". */
  readonly noun: string;
  readonly isFailed: boolean;
  readonly isLoading: boolean;
  readonly isOpen: boolean;
  readonly list: ReactNode;
  /** The open item; undefined while it loads. */
  readonly pane: ReactNode;
}

/** A list on the left and the open item on the right; on phones, one at a time. */
export function Panes({ noun, isFailed, isLoading, isOpen, list, pane }: PanesProps) {
  if (isFailed) return <Trouble />;
  return (
    <div className={isOpen ? 'panes has-open' : 'panes'} aria-busy={isLoading}>
      {list}
      {isOpen ? pane : <p className="none-open quiet">Choose {noun} on the left.</p>}
    </div>
  );
}

/** The way back to the list on phones. */
export function BackLink({ label }: { label: string }) {
  return (
    <a className="button icon-button pane-back" href={LIST_ADDRESS} aria-label={label}>
      <IconChevronLeft size={20} aria-hidden />
    </a>
  );
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [Name, string])[];
  readonly chosen: Name;
  onChoose(name: Name): void;
}

/** Buttons that choose the visible part of an item. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) {
  return (
    <div className="tabs" role="group" aria-label={label}>
      {tabs.map(([name, text]) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {text}
        </button>
      ))}
    </div>
  );
}

/** Names and values, such as headers. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function PaneText({ text }: { text: string }) {
  return (
    <pre className="pane-text" dir="auto" tabIndex={0}>
      {text}
    </pre>
  );
}

const COPIED_FOR_MS = 2_000;

/** A text to copy, with a button that confirms it for a moment. */
export function Copyable({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    window.setTimeout(() => setIsCopied(false), COPIED_FOR_MS);
  };
  return (
    <div className="copyable">
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
