import { useSyncExternalStore } from 'react';
import styles from './toast.module.css';

const SHOWN_FOR_MS = 4_000;

interface Toast {
  readonly id: number;
  readonly text: string;
}

const none: readonly Toast[] = [];
const listeners = new Set<() => void>();
let toasts = none;
let lastId = 0;

/** Shows and announces a short message. A new toast replaces the current one. */
export function showToast(text: string): void {
  lastId += 1;
  const toast = { id: lastId, text };
  set([toast]);
  setTimeout(() => set(toasts.filter((one) => one !== toast)), SHOWN_FOR_MS);
}

/** Renders the current toast; used once per page. */
export function Toasts() {
  const shown = useSyncExternalStore(
    listen,
    () => toasts,
    () => none,
  );
  return (
    <div className={styles.toasts}>
      {shown.map(({ id, text }) => (
        <p key={id} role="alert" className={styles.toast}>
          {text}
        </p>
      ))}
    </div>
  );
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
