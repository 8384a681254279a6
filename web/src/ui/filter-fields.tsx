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
  /** With it there are always days, at most so many: when one end moves too far, the other follows. */
  readonly daysMax?: number;
  /** Called with complete days only, the first not after the last. */
  readonly onChange: (days: Days) => void;
  /** Called when what is shown begins or ceases to be such days. */
  readonly onFault?: (isFault: boolean) => void;
}

/** A range of days in New York time. */
export function DayRange({ from, to, daysMax, onChange, onFault }: DayRangeProps) {
  const isBounded = daysMax !== undefined;
  return (
    <fieldset className={styles.range}>
      <legend className="visually-hidden">Days in New York time</legend>
      <Day
        label="From"
        day={from}
        min={FIRST_DAY}
        max={isBounded ? LAST_DAY : to || LAST_DAY}
        onChange={(day) => onChange(isBounded ? fromOn(day, to, daysMax) : { from: day, to })}
        onFault={onFault}
      />
      <Day
        label="To"
        day={to}
        min={isBounded ? FIRST_DAY : from || FIRST_DAY}
        max={LAST_DAY}
        onChange={(day) => onChange(isBounded ? upTo(day, from, daysMax) : { from, to: day })}
        onFault={onFault}
      />
      {!isBounded && (from || to) && <Button onClick={() => onChange({ from: '', to: '' })}>All days</Button>}
    </fieldset>
  );
}

const DAY_MS = 86_400_000;
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** At most `daysMax` days from this one on, to `to` if that is among them. */
function fromOn(from: string, to: string, daysMax: number): Days {
  if (from === '' || to === '') return { from, to };
  const last = dayAfter(from, daysMax - 1);
  return { from, to: to < from ? from : to > last ? last : to };
}

/** At most `daysMax` days up to this one, from `from` if that is among them. */
function upTo(to: string, from: string, daysMax: number): Days {
  if (from === '' || to === '') return { from, to };
  const first = dayAfter(to, 1 - daysMax);
  return { from: from > to ? to : from < first ? first : from, to };
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
