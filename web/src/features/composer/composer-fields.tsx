import { type ReactNode, useId, useState } from 'react';
import { limits } from '#contract/limits.js';
import type { SmsEncoding } from '#contract/messages.js';
import { shownCharacter } from '../../ui/format.js';
import styles from './choices.module.css';
import { instantOf, pickerValueOf, type SendTime, timeInWords } from './send-time.js';

const FIRST_CHOICE_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface TimeChoiceProps {
  readonly time: SendTime;
  readonly fault: string | undefined;
  readonly onChange: (time: SendTime) => void;
}

/**
 * Chooses the time of sending: now, or a time that is picked in local time and also shown in New
 * York time.
 */
export function TimeChoice({ time, fault, onChange }: TimeChoiceProps) {
  const id = useId();
  // Hints for the browser's picker; the limits are checked when the message is sent.
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
        Now
      </label>
      <label className={styles.option}>
        <input
          type="radio"
          name="when"
          checked={time.kind === 'later'}
          onChange={() => later(pickerValueOf(new Date(Date.now() + FIRST_CHOICE_MS)))}
        />
        Later
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
            {fault ??
              (words &&
                `${words.local} your time, ${words.newYork} in New York. ` +
                  'Charged now; you can cancel it until it leaves.')}
          </p>
        </div>
      )}
    </fieldset>
  );
}

const titles: Readonly<Record<SmsEncoding, readonly [title: string, meaning: string]>> = {
  auto: ['As needed', 'Use Unicode only when the text needs it.'],
  smart: ['Smart', 'Curly quotes, long dashes and the like become plain ones.'],
  gsm7: ['GSM-7 only', 'Refuse texts that need Unicode.'],
};
const { gsm7Characters: gsm7, ucs2Characters: ucs2 } = limits;

interface EncodingChoiceProps {
  readonly encoding: SmsEncoding;
  /** The first characters that GSM-7 lacks, after the replacements of `smart`. */
  readonly otherCharacters: readonly string[];
  readonly onChange: (encoding: SmsEncoding) => void;
}

/** Chooses the encoding, and shows characters that GSM-7 lacks. */
export function EncodingChoice({ encoding, otherCharacters, onChange }: EncodingChoiceProps) {
  return (
    <fieldset className={styles.choice} data-three>
      <legend>Encoding</legend>
      {(['auto', 'smart', 'gsm7'] as const).map((name) => (
        <label key={name} className={styles.option}>
          <input type="radio" name="encoding" checked={encoding === name} onChange={() => onChange(name)} />
          <span>
            {titles[name][0]}
            <small>{titles[name][1]}</small>
          </span>
        </label>
      ))}
      <p className={styles.encodingNote} role="status">
        {otherCharacters.length === 0 ? (
          `Every character is in the GSM-7 alphabet: up to ${gsm7.single} characters are one segment.`
        ) : (
          <>
            Not in GSM-7: <Characters characters={otherCharacters} /> {consequence(encoding)}
          </>
        )}
      </p>
    </fieldset>
  );
}

function consequence(encoding: SmsEncoding): string {
  return encoding === 'gsm7'
    ? 'Messages with these characters are not sent.'
    : `Messages with these characters are Unicode (UCS-2): one segment is up to ${ucs2.single} characters, ` +
        `not ${gsm7.single}.`;
}

/** Characters beside each other, invisible characters as code points. */
export function Characters({ characters }: { characters: readonly string[] }): ReactNode {
  return characters.map((character) => (
    <bdi key={character} className={styles.character}>
      {shownCharacter(character)}
    </bdi>
  ));
}
