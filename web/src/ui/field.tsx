import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  readonly label: string;
  /** The error, shown below the input. */
  readonly fault?: string | undefined;
}

/** A text input with its label and error. */
export function Field({ label, fault, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
      />
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
