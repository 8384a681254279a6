import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../ui/button.js';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Beside Close. */
  readonly actions?: ReactNode;
}

/**
 * A popup over the page, open for as long as it is rendered. The browser's own: it keeps the focus inside, closes on Escape
 * and on a click beside it, and gives the focus back (HTML standard, section 4.11.4).
 */
export function Dialog({ title, onClose, children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closed before it leaves the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onClose={onClose} closedby="any">
      <div className={styles.inside}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <div className={styles.text}>{children}</div>
        <div className={styles.actions}>
          {actions}
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </dialog>
  );
}
