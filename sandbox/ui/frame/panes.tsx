import type { ReactNode } from 'react';
import './panes.css';

interface PanesProps {
  /** What one of them is called, as in "Choose an e-mail". */
  readonly noun: string;
  readonly isFailed: boolean;
  readonly isEmpty: boolean;
  readonly isLoading: boolean;
  readonly isOpen: boolean;
  /** What stands here as long as there is nothing. */
  readonly empty: ReactNode;
  readonly list: ReactNode;
  /** What is open; null while it is read. */
  readonly pane: ReactNode;
}

/** A list on the left, what is open on the right; on a phone one after the other. */
export function Panes({ noun, isFailed, isEmpty, isLoading, isOpen, empty, list, pane }: PanesProps) {
  if (isFailed) {
    return (
      <p className="trouble" role="alert">
        The sandbox does not answer. Is it still running? This page goes on by itself when it is back.
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
