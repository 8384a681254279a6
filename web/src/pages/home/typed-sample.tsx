import { useId, useState } from 'react';
import { CodeText } from '../../ui/code-text.js';
import { CodeWindow } from '../../ui/code-window.js';
import { plainText, splitCode } from '../../ui/code.js';
import { sampleMessage, type HomeSample } from './home-sample.js';
import { Phone } from './phone.js';
import { useTypewriter } from './use-typewriter.js';
import styles from './typed-sample.module.css';

/** One request in the language of choice, typed as it is read, and the phone on which its message arrives. */
export function TypedSample({ samples }: { samples: readonly [HomeSample, ...HomeSample[]] }) {
  const [shown, show] = useState(samples[0]);
  const text = plainText(shown.code);
  const typed = useTypewriter(text);
  const [before, after] = splitCode(shown.code, typed ?? text.length);
  const group = useId();
  return (
    <div className={styles.stage}>
      <fieldset className={styles.picker}>
        <legend className="visually-hidden">Language of the sample</legend>
        {samples.map((sample) => (
          <label key={sample.language} className={styles.language}>
            <input type="radio" name={group} checked={sample === shown} onChange={() => show(sample)} />
            {sample.language}
          </label>
        ))}
      </fieldset>
      <div className={styles.window} data-waiting={typed === undefined || undefined}>
        <CodeWindow title={shown.language} code={shown.code}>
          <CodeText code={before} />
          {after.length > 0 && (
            <span className={styles.rest}>
              <CodeText code={after} />
            </span>
          )}
        </CodeWindow>
      </div>
      <Phone message={sampleMessage} hasArrived={after.length === 0} isWaiting={typed === undefined} />
    </div>
  );
}
