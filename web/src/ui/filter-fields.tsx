import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { Button } from './button.js';
import { Field } from './field.js';
import styles from './filter-fields.module.css';

/** The days that histories accept (contract/histories). */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

/** New York days as 'YYYY-MM-DD', inclusive; '' means unbounded. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

interface DayRangeProps extends Days {
  /** Called with complete days only, the first not after the last. */
  readonly onChange: (days: Days) => void;
  /** Called when what is shown begins or ceases to be such days. */
  readonly onFault?: (isFault: boolean) => void;
}

/** A range of days in New York time. */
export function DayRange({ from, to, onChange, onFault }: DayRangeProps) {
  return (
    <fieldset className={styles.range}>
      <legend className="visually-hidden">Days in New York time</legend>
      <Day
        label="From"
        day={from}
        min={FIRST_DAY}
        max={to || LAST_DAY}
        onChange={(day) => onChange({ from: day, to })}
        onFault={onFault}
      />
      <Day
        label="To"
        day={to}
        min={from || FIRST_DAY}
        max={LAST_DAY}
        onChange={(day) => onChange({ from, to: day })}
        onFault={onFault}
      />
      {(from || to) && <Button onClick={() => onChange({ from: '', to: '' })}>All days</Button>}
    </fieldset>
  );
}

interface DayProps {
  readonly label: string;
  readonly day: string;
  readonly min: string;
  readonly max: string;
  readonly onChange: (day: string) => void;
  readonly onFault: ((isFault: boolean) => void) | undefined;
}

function Day({ label, day, min, max, onChange, onFault }: DayProps) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();
  const limits = `${day} ${min} ${max}`;
  const [shown, setShown] = useState(limits);
  if (shown !== limits) {
    setShown(limits);
    setFault(undefined);
  }
  // Uncontrolled, so that a half-typed date is not erased. What was refused makes way for the day
  // in force when that, or a limit, changes.
  useEffect(() => {
    const field = input.current;
    if (!field) return;
    const isRefused = field.value < min || field.value > max;
    if (field.value !== day || isRefused) field.value = day;
  }, [day, min, max]);
  const change = ({ target: { validity, value } }: ChangeEvent<HTMLInputElement>) => {
    const isOutside = validity.rangeOverflow || validity.rangeUnderflow;
    setFault(isOutside ? `From ${min} to ${max}` : undefined);
    onFault?.(!validity.valid);
    if (validity.valid) onChange(value);
  };
  return (
    <Field
      ref={input}
      label={label}
      type="date"
      min={min}
      max={max}
      fault={fault}
      defaultValue={day}
      onChange={change}
    />
  );
}
