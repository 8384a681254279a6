import { lazy, Suspense, useSyncExternalStore } from 'react';
import styles from './toast.module.css';
import type { Toast } from './toast-view.js';

let latest: Toast | undefined;
let onToast: (() => void) | undefined;

/**
 * Shows and announces a short message, at the other end of the window than the control that caused
 * it. A new toast replaces the current one.
 */
export function showToast(text: string): void {
  latest = { text, place: freePlace() };
  onToast?.();
}

function freePlace(): Toast['place'] {
  const focused = document.activeElement;
  const cause = focused === null || focused.matches('body, main') ? pressed : focused;
  if (!cause) return 'bottom';
  const { top, bottom } = cause.getBoundingClientRect();
  return (top + bottom) / 2 > window.innerHeight / 2 ? 'top' : 'bottom';
}

/** Safari does not focus a button that is clicked. */
let pressed: Element | undefined;

function rememberPressed({ target }: Event): void {
  pressed = target instanceof Element ? target : undefined;
}

const ToastView = lazy(async () => ({
  default: await import('./toast-view.js').then(
    (loaded) => loaded.ToastView,
    () => PlainToast,
  ),
}));

/** Shown when the library cannot be loaded, as without a connection. */
function PlainToast({ toast }: { toast: Toast }) {
  return (
    <p role="alert" className={styles.plain} data-place={toast.place}>
      {toast.text}
    </p>
  );
}

/** Renders the current toast; used once per page. The library is loaded with the first toast. */
export function Toasts() {
  const toast = useSyncExternalStore(
    listen,
    () => latest,
    () => undefined,
  );
  return <Suspense>{toast && <ToastView toast={toast} />}</Suspense>;
}

function listen(listener: () => void): () => void {
  onToast = listener;
  document.addEventListener('pointerdown', rememberPressed);
  return () => {
    document.removeEventListener('pointerdown', rememberPressed);
    onToast = undefined;
  };
}
