import { lazy, Suspense, useSyncExternalStore } from 'react';
import styles from './toast.module.css';
import type { Toast } from './toast-view.js';

let latest: Toast | undefined;
let onToast: (() => void) | undefined;

/**
 * Shows and announces a short message at the foot of the window, above the causing control if that
 * is there. A new toast replaces the current toast.
 */
export function showToast(text: string): void {
  latest = { text, bottomPx: bottomBeside(causeOf()) };
  onToast?.();
}

const BOTTOM_PX = 24;
/** Height that a toast of two lines covers at the foot of the window. */
const COVERED_PX = 112;
const GAP_PX = 8;

function causeOf(): Element | undefined {
  const focused = document.activeElement;
  return focused === null || focused.matches('body, main') ? pressed : focused;
}

/** Distance of a toast from the foot of the window. */
function bottomBeside(cause: Element | undefined): number {
  if (!cause?.isConnected) return BOTTOM_PX;
  const { top, bottom } = cause.getBoundingClientRect();
  const isThere = bottom > window.innerHeight - COVERED_PX && top < window.innerHeight && top > COVERED_PX;
  return isThere ? window.innerHeight - top + GAP_PX : BOTTOM_PX;
}

/** The pressed element: Safari does not focus a clicked button. */
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
    <p role="alert" className={styles.plain} style={{ bottom: toast.bottomPx }}>
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
