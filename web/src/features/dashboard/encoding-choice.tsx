import type { ReactNode } from 'react';
import { limits } from '#contract/limits.js';
import type { SmsEncoding } from '#contract/messages.js';
import { shownCharacter } from '../../ui/format.js';
import styles from './choices.module.css';

const titles: Readonly<Record<SmsEncoding, readonly [title: string, meaning: string]>> = {
  auto: ['As needed', 'Unicode for a text with other characters than GSM-7 has.'],
  smart: ['Smart', 'Curly quotes, long dashes and the like become plain ones.'],
  gsm7: ['GSM-7 only', 'A text with other characters is not sent.'],
};
const { gsm7Characters: gsm7, ucs2Characters: ucs2 } = limits;

interface EncodingChoiceProps {
  readonly encoding: SmsEncoding;
  /** The first characters that GSM-7 does not have, after the replacements of `smart`. */
  readonly otherCharacters: readonly string[];
  readonly onChange: (encoding: SmsEncoding) => void;
}

/** Chooses how texts are encoded, and shows which characters do not fit into GSM-7. */
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
    : `Messages with these characters are Unicode: one segment is up to ${ucs2.single} characters, not ${gsm7.single}.`;
}

/** Characters beside each other, the invisible ones by their code points. */
export function Characters({ characters }: { characters: readonly string[] }): ReactNode {
  return characters.map((character) => (
    <bdi key={character} className={styles.character}>
      {shownCharacter(character)}
    </bdi>
  ));
}
