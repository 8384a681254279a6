import { Toast as Base } from '@base-ui/react/toast';
import { useEffect } from 'react';
import styles from './toast.module.css';

const SHOWN_FOR_MS = 4_000;
const manager = Base.createToastManager();

/**
 * The library's toasts, one at a time: a toast with the same id replaces the text and restarts the
 * timer.
 */
export function ToastView({ toast }: { toast: Toast }) {
  useEffect(() => {
    manager.add({ id: 'toast', description: toast.text });
  }, [toast]);
  return (
    <Base.Provider toastManager={manager} timeout={SHOWN_FOR_MS} limit={1}>
      <Base.Portal>
        {/* Each toast is an alert: the region around it announces nothing by itself. */}
        <Base.Viewport className={styles.toasts} style={{ bottom: toast.bottomPx }} aria-live="off">
          <Shown />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Shown() {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} role="alert" className={styles.toast}>
      <Base.Description />
    </Base.Root>
  ));
}

/** Shown texts differ by identity, so that the same text can appear twice. */
export interface Toast {
  readonly text: string;
  /** Distance from the foot of the window. */
  readonly bottomPx: number;
}
