import { useId, type KeyboardEvent } from 'react';
import styles from './message-field.module.css';

interface MessageFieldProps {
  readonly value: string;
  readonly fault: string | undefined;
  /** The element with the figures on it. */
  readonly describedBy: string;
  readonly onChange: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The text of the message, in whatever direction it is written. */
export function MessageField({ value, fault, describedBy, onChange, onKeyDown }: MessageFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Message</label>
      <textarea
        id={id}
        dir="auto"
        rows={5}
        value={value}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault === undefined ? describedBy : `${id}-fault ${describedBy}`}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
      />
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
