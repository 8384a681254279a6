import { useState } from 'react';
import type { SampleAnswer } from '../api/samples.js';
import type { ShownCode } from '../content/shown-page.js';
import { plainText } from '../ui/code.js';
import { showToast } from '../ui/toast.js';
import styles from './exchange.module.css';
import { useReaderKey, withKey } from './reader-key.js';
import { sampleRequest } from './sample-request.js';
import { SampleWindow } from './sample-window.js';

interface ExchangeProps {
  readonly request: ShownCode;
  readonly answers: readonly ShownCode[];
}

/** A request beside its real answer; below it where there is no room. The signed-in can try it with their test key. */
export function Exchange({ request, answers }: ExchangeProps) {
  const key = useReaderKey();
  const [tried, setTried] = useState<SampleAnswer>();
  const [isTrying, setTrying] = useState(false);
  const trial = key === undefined ? undefined : sampleRequest(plainText(withKey(request.code, key)));
  const [first, ...others] = answers;
  const shown: readonly ShownCode[] = tried
    ? [{ kind: 'code', title: `Your answer, HTTP ${tried.status}: ${request.title}`, code: [[tried.body]] }, ...others]
    : answers;

  const tryIt = async () => {
    if (!trial || isTrying) return;
    setTrying(true);
    try {
      const { trySample } = await import('../api/samples.js');
      setTried(await trySample(trial));
    } catch {
      showToast('Pennytext could not be reached. Check your connection and try again.');
    } finally {
      setTrying(false);
    }
  };
  return (
    <div className={styles.exchange}>
      <SampleWindow
        {...request}
        action={
          trial &&
          first && (
            <button type="button" className={styles.try} disabled={isTrying} onClick={() => void tryIt()}>
              {isTrying ? 'Loading...' : 'Try it'}
            </button>
          )
        }
      />
      <div className={styles.answers} aria-live="polite">
        {shown.map((answer) => (
          <SampleWindow key={answer.title} {...answer} />
        ))}
      </div>
    </div>
  );
}
