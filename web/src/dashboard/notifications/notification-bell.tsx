import { useState } from 'react';
import { Link } from 'react-router';
import type { Notification } from '#contract/notifications.js';
import { Moment } from '../../ui/moment.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { IconAlertCircle, IconAlertTriangle } from '../../ui/line-icons.js';
import { FailureNotice } from '../failures/failures.js';
import { IconBell } from '../frame/icons.js';
import { pathOf } from './notification-path.js';
import styles from './notification-bell.module.css';
import { useNotifications } from './notifications.js';

/** Opens the list of notifications; shows their number. */
export function NotificationBell() {
  const { shown } = useNotifications();
  const [isOpen, setOpen] = useState(false);
  const count = shown.length;
  return (
    <>
      <button
        type="button"
        className={styles.bell}
        aria-haspopup="dialog"
        aria-label={count === 0 ? 'Notifications' : `Notifications: ${count}`}
        onClick={() => setOpen(true)}
      >
        <IconBell size={22} aria-hidden="true" />
        {count > 0 && (
          <span className={styles.count} aria-hidden="true">
            {count}
          </span>
        )}
      </button>
      {isOpen && (
        <Dialog title="Notifications" onClose={() => setOpen(false)}>
          <NotificationList onLeave={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function NotificationList({ onLeave }: { onLeave: () => void }) {
  const { shown, dismissed, failure, isKnown, dismiss, restore } = useNotifications();
  if (failure)
    return (
      <FailureNotice error={failure.error} what="Your notifications could not be loaded." onRetry={failure.retry} />
    );
  if (!isKnown) return <p role="status">Loading...</p>;
  return (
    <div className={styles.lists}>
      {shown.length === 0 ? (
        <p role="status">Nothing needs your attention.</p>
      ) : (
        <ul className={styles.list} aria-label="Needs your attention">
          {shown.map((one) => (
            <Item key={one.id} notification={one} onLeave={onLeave}>
              <Button onClick={() => dismiss(one.id)} aria-label={`Dismiss: ${one.message}`}>
                Dismiss
              </Button>
            </Item>
          ))}
        </ul>
      )}
      {dismissed.length > 0 && (
        <>
          <h3 className={styles.title}>Dismissed in this browser</h3>
          <ul className={`${styles.list} ${styles.dismissed}`} aria-label="Dismissed in this browser">
            {dismissed.map((one) => (
              <Item key={one.id} notification={one} onLeave={onLeave}>
                <Button onClick={() => restore(one.id)} aria-label={`Show again: ${one.message}`}>
                  Show again
                </Button>
              </Item>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface ItemProps {
  readonly notification: Notification;
  readonly onLeave: () => void;
  /** Button of the item. */
  readonly children: React.ReactNode;
}

function Item({ notification, onLeave, children }: ItemProps) {
  const { severity, since, message, action, url } = notification;
  const Icon = severity === 'critical' ? IconAlertCircle : IconAlertTriangle;
  return (
    <li className={styles.item} data-severity={severity}>
      <Icon size={20} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.message} dir="auto">
          <span className="visually-hidden">{severity === 'critical' ? 'Critical: ' : 'Warning: '}</span>
          {message}
        </p>
        <p>{action}</p>
        {since !== null && (
          <p className={styles.since}>
            Since <Moment at={since} />
          </p>
        )}
        <p className={styles.actions}>
          <Link to={pathOf(url)} onClick={onLeave}>
            Go there
          </Link>
          {children}
        </p>
      </div>
    </li>
  );
}
