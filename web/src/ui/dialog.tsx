import { lazy, type ReactNode, Suspense, useEffect } from 'react';

const Popup = lazy(async () => ({ default: (await import('./popup.js')).Popup }));

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons beside the one that closes. */
  readonly actions?: ReactNode;
}

/** A popup over the page, open while it is rendered. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <Popup {...props} kind="dialog" closeTitle="Close" />
    </Suspense>
  );
}

interface QuestionProps extends DialogProps {
  /** The button that leaves everything as it is. */
  readonly closeTitle?: string;
}

/** Asks before something that cannot be undone: a click outside does not answer, and the focus is on the harmless button. */
export function Question({ closeTitle = 'Cancel', ...props }: QuestionProps) {
  return (
    <Suspense>
      <Popup {...props} kind="question" closeTitle={closeTitle} />
    </Suspense>
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
export function Drawer({ closeAt, onClose, ...props }: DrawerProps) {
  useEffect(() => {
    const media = window.matchMedia(closeAt);
    media.addEventListener('change', onClose);
    return () => media.removeEventListener('change', onClose);
  }, [closeAt, onClose]);
  return (
    <Suspense>
      <Popup {...props} onClose={onClose} kind="drawer" closeTitle={`Close ${props.title.toLowerCase()}`} />
    </Suspense>
  );
}
