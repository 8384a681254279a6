import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import styles from './day-range.module.css';

/** The days that histories can be asked for (contract/histories). */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

/** Days in New York, 'YYYY-MM-DD', both included; '' where there is no bound. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

interface DayRangeProps extends Days {
  /** Told of whole days alone, the first not after the last. */
  readonly onChange: (days: Days) => void;
}

/** From which day to which day, in New York time. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <fieldset className={styles.range}>
      <legend className="visually-hidden">Days in New York time</legend>
      <Day
        label="From"
        day={from}
        min={FIRST_DAY}
        max={to || LAST_DAY}
        onChange={(day) => onChange({ from: day, to })}
      />
      <Day label="To" day={to} min={from || FIRST_DAY} max={LAST_DAY} onChange={(day) => onChange({ from, to: day })} />
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
}

function Day({ label, day, min, max, onChange }: DayProps) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<{ day: string; text: string }>();
  // The field keeps its own text: half a date is none, and must not be taken away from whoever types it.
  useEffect(() => {
    if (input.current && input.current.value !== day) input.current.value = day;
  }, [day]);
  const change = ({ target: { validity, value } }: ChangeEvent<HTMLInputElement>) => {
    const isOutside = validity.rangeOverflow || validity.rangeUnderflow;
    setFault(isOutside ? { day, text: `From ${min} to ${max}` } : undefined);
    if (validity.valid) onChange(value);
  };
  return (
    <Field
      ref={input}
      label={label}
      type="date"
      min={min}
      max={max}
      fault={fault?.day === day ? fault.text : undefined}
      defaultValue={day}
      onChange={change}
    />
  );
}
