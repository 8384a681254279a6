import { useId, useState } from 'react';
import { limits } from '#contract/limits.js';
import styles from './choices.module.css';
import { instantOf, pickerValueOf, type SendTime, timeInWords } from './send-time.js';

const FIRST_CHOICE_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface TimeChoiceProps {
  readonly time: SendTime;
  readonly fault: string | undefined;
  readonly onChange: (time: SendTime) => void;
}

/** Chooses when the message leaves: now, or at a time that is picked in local time and shown in New York time too. */
export function TimeChoice({ time, fault, onChange }: TimeChoiceProps) {
  const id = useId();
  // Hints for the browser's picker; what counts is checked when the message is sent.
  const [[first, last]] = useState(() => {
    const now = Date.now();
    return [pickerValueOf(new Date(now)), pickerValueOf(new Date(now + limits.sendAtDaysMax * DAY_MS))] as const;
  });
  const at = instantOf(time);
  const words = at && timeInWords(at);
  const later = (local: string) => onChange({ kind: 'later', local });
  return (
    <fieldset className={styles.choice}>
      <legend>When</legend>
      <label className={styles.option}>
        <input type="radio" name="when" checked={time.kind === 'now'} onChange={() => onChange({ kind: 'now' })} />
        <span>
          Now
          <small>It is on its way at once.</small>
        </span>
      </label>
      <label className={styles.option}>
        <input
          type="radio"
          name="when"
          checked={time.kind === 'later'}
          onChange={() => later(pickerValueOf(new Date(Date.now() + FIRST_CHOICE_MS)))}
        />
        <span>
          Later
          <small>Charged now. You can cancel it until it leaves.</small>
        </span>
      </label>
      {time.kind === 'later' && (
        <div className={styles.time}>
          <label htmlFor={id}>Date and time, in your time zone</label>
          <input
            id={id}
            type="datetime-local"
            value={time.local}
            min={first}
            max={last}
            aria-invalid={fault === undefined ? undefined : true}
            aria-describedby={`${id}-words`}
            onChange={({ target }) => later(target.value)}
          />
          <p id={`${id}-words`} className={fault === undefined ? styles.words : styles.fault} aria-live="polite">
            {fault ?? (words && `${words.local} your time, ${words.newYork} in New York.`)}
          </p>
        </div>
      )}
    </fieldset>
  );
}
