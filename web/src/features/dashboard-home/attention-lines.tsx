import { Link } from 'react-router';
import type { NotificationCode } from '#contract/notifications.js';
import { Notice } from '../../ui/surface.js';
import { pathOf } from '../../dashboard/notifications/notification-path.js';
import { useNotifications } from '../../dashboard/notifications/notifications.js';
import styles from './home-page.module.css';

/** Notifications that another part of this view explains. */
const explained: readonly NotificationCode[] = [
  'webhook_failing',
  'webhook_off',
  'sending_suspended',
  'welcome_email_failed',
];
const LINES_MAX = 3;

/** The most important notifications, a line each. */
export function AttentionLines() {
  const { shown } = useNotifications();
  const lines = shown.filter(({ code }) => !explained.includes(code)).slice(0, LINES_MAX);
  if (lines.length === 0) return null;
  return (
    <ul className={styles.attention} aria-label="Needs your attention">
      {lines.map(({ id, severity, message, action, url }) => (
        <li key={id}>
          <Notice kind={severity === 'critical' ? 'bad' : 'info'}>
            <Link to={pathOf(url)}>{message}</Link> {action}
          </Notice>
        </li>
      ))}
    </ul>
  );
}
