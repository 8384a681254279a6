import { useCallback, useId, useState } from 'react';
import { CodeWindow } from '../../ui/code-window.js';
import { useHydrated } from '../../ui/use-hydrated.js';
import { sampleMessage, type HomeSample } from './home-sample.js';
import { Phone } from './phone.js';
import { TypedCode } from './typed-code.js';
import styles from './typed-sample.module.css';

/** One request in the language of choice, typed as it is read, and the phone on which its message arrives. */
export function TypedSample({ samples }: { samples: readonly [HomeSample, ...HomeSample[]] }) {
  const [shown, show] = useState(samples[0]);
  const [typed, setTyped] = useState<HomeSample>();
  const onTyped = useCallback(() => setTyped(shown), [shown]);
  const isWaiting = !useHydrated();
  const group = useId();
  const choose = (sample: HomeSample) => {
    show(sample);
    setTyped(undefined);
  };
  return (
    <div className={styles.stage}>
      <fieldset className={styles.picker}>
        <legend className="visually-hidden">Language of the sample</legend>
        {samples.map((sample) => (
          <label key={sample.language} className={styles.language}>
            <input type="radio" name={group} checked={sample === shown} onChange={() => choose(sample)} />
            {sample.language}
          </label>
        ))}
      </fieldset>
      <div className={styles.window}>
        <CodeWindow title={shown.language} code={shown.code}>
          <TypedCode code={shown.code} onTyped={onTyped} />
        </CodeWindow>
      </div>
      <Phone message={sampleMessage} hasArrived={isWaiting || typed === shown} isWaiting={isWaiting} />
    </div>
  );
}
