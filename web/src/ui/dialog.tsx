import { useEffect, useId, useLayoutEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import { IconX } from '@tabler/icons-react';
import { Button } from './button.js';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons beside Close. */
  readonly actions?: ReactNode;
}

/** A popup over the page, open while it is rendered. */
export function Dialog({ title, onClose, children, actions }: DialogProps) {
  const titleId = useId();
  return (
    <Modal className={styles.dialog} aria-labelledby={titleId} onClose={onClose}>
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
    </Modal>
  );
}

interface DrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Media query of screens that have room without the drawer: it closes there. */
  readonly closeAt: string;
  readonly children: ReactNode;
}

/** A panel at the right edge of the screen, open while it is rendered. */
export function Drawer({ title, onClose, closeAt, children }: DrawerProps) {
  useEffect(() => {
    const media = window.matchMedia(closeAt);
    media.addEventListener('change', onClose);
    return () => media.removeEventListener('change', onClose);
  }, [closeAt, onClose]);
  return (
    <Modal className={styles.drawer} aria-label={title} onClose={onClose}>
      <div className={styles.panel}>
        <button type="button" className={styles.close} aria-label={`Close ${title.toLowerCase()}`} onClick={onClose}>
          <IconX size={24} aria-hidden="true" />
        </button>
        {children}
      </div>
    </Modal>
  );
}

/**
 * The browser's modal dialog: it traps focus, closes on Escape and on a click outside, and restores focus
 * (HTML standard, section 4.11.4).
 */
function Modal(props: Omit<ComponentProps<'dialog'>, 'ref'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Focus is restored only if the dialog closes before it leaves the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return <dialog {...props} ref={dialog} closedby="any" />;
}
