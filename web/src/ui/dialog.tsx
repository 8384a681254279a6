import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Boundary } from './boundary.js';
import { BrokenPart } from './broken-part.js';
import { Button } from './button.js';
import styles from './dialog.module.css';

type PopupProps = ComponentProps<typeof import('./popup.js').Popup>;

const LoadedPopup = lazy(async () => ({
  default: await import('./popup.js').then(
    (loaded) => loaded.Popup,
    () => PlainPopup,
  ),
}));

/** Shown when the library cannot be loaded, as without a connection. */
function PlainPopup({ title, closeTitle, onClose, actions, children }: PopupProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-label={title} onClose={onClose}>
      <h2 className={styles.title}>{title}</h2>
      <div className={styles.text}>{children}</div>
      <div className={styles.actions}>
        {actions}
        <Button onClick={onClose}>{closeTitle}</Button>
      </div>
    </dialog>
  );
}

/** A popup that shows a failure if its content throws; the page stays. */
function Popup({ children, ...props }: PopupProps) {
  return (
    <Suspense>
      <LoadedPopup {...props}>
        <Boundary fallback={BrokenPart}>{children}</Boundary>
      </LoadedPopup>
    </Suspense>
  );
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons beside the close button. */
  readonly actions?: ReactNode;
  /** Returns the element to focus after closing; by default the previously focused element. */
  readonly focusAfter?: (() => HTMLElement | null) | undefined;
}

/** A popup over the page, open while it is rendered. */
export function Dialog(props: DialogProps) {
  return <Popup {...props} kind="dialog" closeTitle="Close" />;
}

interface QuestionProps extends DialogProps {
  /** Title of the button that changes nothing. */
  readonly closeTitle?: string;
}

/**
 * Asks before an action that cannot be undone: a click outside does not answer, and the harmless
 * button has the focus.
 */
export function Question({ closeTitle = 'Cancel', ...props }: QuestionProps) {
  return <Popup {...props} kind="question" closeTitle={closeTitle} />;
}

interface DrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Media query of screens with room for the content: the drawer closes there. */
  readonly closeAt: string;
  readonly children: ReactNode;
}

/** A panel at the right edge of the screen, open while it is rendered. */
export function Drawer({ closeAt, onClose, ...props }: DrawerProps) {
  useEffect(() => {
    const media = window.matchMedia(closeAt);
    media.addEventListener('change', onClose);
    return () => media.removeEventListener('change', onClose);
  }, [closeAt, onClose]);
  return <Popup {...props} onClose={onClose} kind="drawer" closeTitle={`Close ${props.title.toLowerCase()}`} />;
}
