import { type SubmitEvent, useId, useState } from 'react';
import { Button } from './button.js';
import { countText, type Days, daysText, isAll, spanFault, spanOf } from './days.js';
import { Fault, Field } from './field.js';
import { formText } from './form.js';
import { PopoverButton } from './popover-button.js';
import styles from './date-range.module.css';

interface DateRangeProps {
  readonly value: Days;
  /** Choices of days up to today, as numbers of days. */
  readonly counts?: readonly number[];
  /** Requires both ends: all days cannot be chosen. */
  readonly isWhole?: boolean;
  readonly daysMax?: number;
  /** Called only with days that can be shown. */
  readonly onChange: (days: Days) => void;
}

const usualCounts = [1, 7, 30];

/** Choice of days in New York time: today, the last days, or a range. */
export function DateRange({ value, isWhole = false, ...choice }: DateRangeProps) {
  const text = isWhole && isAll(value) ? 'Choose days' : daysText(value);
  return (
    <PopoverButton label="Days" value={text}>
      {(close) => <Choice {...choice} value={value} isWhole={isWhole} onDone={close} />}
    </PopoverButton>
  );
}

interface ChoiceProps extends DateRangeProps {
  readonly isWhole: boolean;
  readonly onDone: () => void;
}

function Choice({ value, counts = usualCounts, isWhole, daysMax, onChange, onDone }: ChoiceProps) {
  const faultId = useId();
  const [fault, setFault] = useState<string>();
  const span = spanOf(value);
  const choose = (days: Days) => {
    onChange(days);
    onDone();
  };
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const isHalf = [...form.querySelectorAll('input')].some(({ validity }) => validity.badInput);
    const fields = new FormData(form);
    const chosen = { from: formText(fields, 'from'), to: formText(fields, 'to') };
    const wrong = isHalf ? 'Enter whole dates.' : spanFault(chosen, { isWhole, daysMax });
    setFault(wrong);
    if (wrong === undefined) choose({ days: '', ...chosen });
  };
  const choices = [
    ...(isWhole ? [] : [{ days: '', text: 'All days' }]),
    ...counts.map((count) => ({ days: String(count), text: countText(count) })),
  ];
  const isSpan = value.days === '' && !isAll(value);
  return (
    <>
      <ul className={styles.choices}>
        {choices.map(({ days, text }) => (
          <li key={days}>
            <button
              type="button"
              className={styles.choice}
              aria-pressed={!isSpan && value.days === days}
              onClick={() => choose({ days, from: '', to: '' })}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
      <form className={styles.custom} noValidate onSubmit={apply}>
        <p className={styles.title}>Custom days</p>
        <Field
          label="First day"
          name="from"
          type="date"
          defaultValue={span.from}
          describedBy={faultId}
          onChange={() => setFault(undefined)}
        />
        <Field
          label="Last day"
          name="to"
          type="date"
          defaultValue={span.to}
          describedBy={faultId}
          onChange={() => setFault(undefined)}
        />
        <div id={faultId}>{fault !== undefined && <Fault role="alert">{fault}</Fault>}</div>
        <Button type="submit" wide>
          Show these days
        </Button>
        <p className={styles.note}>Days are in New York time.</p>
      </form>
    </>
  );
}
