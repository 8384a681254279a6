import { viewAt } from '../frame/views.js';
import { pathOf } from './notification-path.js';
import styles from './notification-dot.module.css';
import { useNotifications } from './notifications.js';

/** Marks the menu entry of a view where something needs attention. */
export function NotificationDot({ to }: { to: string }) {
  const { shown } = useNotifications();
  const here = shown.filter(({ url }) => viewAt(pathOf(url).replace(/[?#].*$/, '')) === to);
  if (here.length === 0) return null;
  const isCritical = here.some(({ severity }) => severity === 'critical');
  return (
    <>
      <span className={styles.dot} data-severity={isCritical ? 'critical' : 'warning'} aria-hidden="true" />
      <span className="visually-hidden">: needs attention</span>
    </>
  );
}
