import { viewAt } from '../frame/views.js';
import { pathOf } from './notification-path.js';
import styles from './notification-dot.module.css';
import { useNotifications } from './notifications.js';

/** Marks and describes the menu entry of a view that needs attention. */
export function NotificationDot({ id, to }: { id: string; to: string }) {
  const { shown } = useNotifications();
  const here = shown.filter(({ url }) => viewAt(pathOf(url).replace(/[?#].*$/, '')) === to);
  if (here.length === 0) return null;
  const isCritical = here.some(({ severity }) => severity === 'critical');
  return (
    <span
      id={id}
      className={styles.dot}
      data-severity={isCritical ? 'critical' : 'warning'}
      aria-hidden="true"
      aria-label="Needs attention"
    />
  );
}
