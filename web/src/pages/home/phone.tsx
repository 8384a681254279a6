import { Mark } from '../../ui/mark.js';
import styles from './phone.module.css';

interface PhoneProps {
  readonly message: string;
  readonly hasArrived: boolean;
  /** The page does not run yet: whether a message will still arrive is not known. */
  readonly isWaiting: boolean;
}

/** A small drawn phone on which the message of the sample arrives. */
export function Phone({ message, hasArrived, isWaiting }: PhoneProps) {
  return (
    <figure className={styles.phone} aria-label="The recipient’s phone">
      <div className={styles.screen}>
        <div className={styles.top} aria-hidden="true">
          <span className={styles.coin}>
            <Mark size={26} />
          </span>
          <span className={styles.sender}>+1 500 555 0006</span>
        </div>
        {hasArrived && (
          <div className={styles.arrived} data-waiting={isWaiting || undefined}>
            <p className={styles.bubble}>{message}</p>
            <p className={styles.state}>Just now</p>
          </div>
        )}
      </div>
    </figure>
  );
}
