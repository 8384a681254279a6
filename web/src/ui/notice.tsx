import type { ReactNode } from 'react';
import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import styles from './notice.module.css';

const icons = { info: IconInfoCircle, good: IconCircleCheck, bad: IconAlertCircle };

interface NoticeProps {
  readonly kind: keyof typeof icons;
  /** `alert` when it answers what somebody has just done. */
  readonly role?: 'alert' | 'status';
  readonly children: ReactNode;
}

/** Something to know before going on; shape and word carry the meaning beside the colour. */
export function Notice({ kind, role, children }: NoticeProps) {
  const Icon = icons[kind];
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={role}>
      <Icon size={20} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
