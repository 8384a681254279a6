import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface FieldRowProps {
  readonly label: string;
  /** Content at the other end of the label's line, such as a link. */
  readonly aside?: ReactNode;
  /** Hint about valid values, shown below the control. */
  readonly hint?: string | undefined;
  /** The error, shown below the control; it describes the control in place of the hint. */
  readonly fault?: string | undefined;
  /** The id of another element that describes the control. */
  readonly describedBy?: string | undefined;
  readonly children: (control: Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'>) => ReactNode;
}

/** A control with its label and error. */
export function FieldRow({ label, aside, hint, fault, describedBy, children }: FieldRowProps) {
  const id = useId();
  const faultId = fault === undefined ? undefined : `${id}-fault`;
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className={styles.field}>
      {aside === undefined ? (
        <label htmlFor={id}>{label}</label>
      ) : (
        <div className={styles.top}>
          <label htmlFor={id}>{label}</label>
          {aside}
        </div>
      )}
      {children({
        id,
        'aria-invalid': fault === undefined ? undefined : true,
        'aria-describedby': [faultId ?? hintId, describedBy].filter(Boolean).join(' ') || undefined,
      })}
      {hint !== undefined && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <Fault id={faultId} role="alert">
          {fault}
        </Fault>
      )}
    </div>
  );
}

/** Error text of a control. */
export function Fault(props: Pick<ComponentProps<'p'>, 'id' | 'role' | 'children'>) {
  return <p {...props} className={styles.fault} />;
}

type RowProps = Omit<FieldRowProps, 'children' | 'hint' | 'aside'>;

interface FieldProps extends Omit<FieldRowProps, 'children'>, Omit<ComponentProps<'input'>, 'id' | 'className'> {
  readonly children?: never;
  /** The unit of the value, shown after the input. */
  readonly unit?: string;
}

/** A text input. */
export function Field({ label, aside, hint, fault, describedBy, unit, ...input }: FieldProps) {
  const unitId = useId();
  const describing = [unit === undefined ? undefined : unitId, describedBy].filter(Boolean).join(' ') || undefined;
  return (
    <FieldRow label={label} aside={aside} hint={hint} fault={fault} describedBy={describing}>
      {(control) =>
        unit === undefined ? (
          <input {...input} {...control} />
        ) : (
          <div className={styles.measured}>
            <input {...input} {...control} />
            <span id={unitId}>{unit}</span>
          </div>
        )
      }
    </FieldRow>
  );
}

/** A text of several lines. */
export function TextArea({
  label,
  fault,
  describedBy,
  ...area
}: RowProps & Omit<ComponentProps<'textarea'>, 'id' | 'className'>) {
  return (
    <FieldRow label={label} fault={fault} describedBy={describedBy}>
      {(control) => <textarea {...area} {...control} />}
    </FieldRow>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, title: string])[];
  readonly hint?: string | undefined;
  readonly onChange: (value: Value) => void;
}

/** A native select. */
export function Select<Value extends string>({ label, value, options, hint, onChange }: SelectProps<Value>) {
  return (
    <FieldRow label={label} hint={hint}>
      {(control) => (
        <select
          {...control}
          value={value}
          // A long title is cut in a narrow field.
          title={options.find(([name]) => name === value)?.[1]}
          onChange={({ target }) => {
            const chosen = options[target.selectedIndex];
            if (chosen) onChange(chosen[0]);
          }}
        >
          {options.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      )}
    </FieldRow>
  );
}
