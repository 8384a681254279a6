import { type ReactNode, useState } from 'react';
import type { SampleAnswer } from '../../api/samples.js';
import type { RenderedCode } from '../../content/page.js';
import { CodeText, CodeWindow, plainText } from '../../ui/code.js';
import { showToast } from '../../ui/toast.js';
import styles from './page-content.module.css';
import { maskedKey, sampleRequest, useReaderKey, withKey } from './try-sample.js';

interface ExchangeProps {
  readonly request: RenderedCode;
  readonly answers: readonly RenderedCode[];
}

/** A request beside its answer, or above it on narrow screens. Signed-in readers can try it with their test key. */
export function Exchange({ request, answers }: ExchangeProps) {
  const key = useReaderKey();
  const [tried, setTried] = useState<SampleAnswer>();
  const [isTrying, setTrying] = useState(false);
  const trial = key === undefined ? undefined : sampleRequest(plainText(withKey(request.code, key)));
  const [first, ...others] = answers;
  const shown: readonly RenderedCode[] = tried
    ? [{ kind: 'code', title: `Your answer, HTTP ${tried.status}: ${request.title}`, code: [[tried.body]] }, ...others]
    : answers;

  const tryIt = async () => {
    if (!trial || isTrying) return;
    setTrying(true);
    try {
      const { trySample } = await import('../../api/samples.js');
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
      <div className={styles.exchangeAnswers} aria-live="polite">
        {shown.map((answer) => (
          <SampleWindow key={answer.title} {...answer} />
        ))}
      </div>
    </div>
  );
}

/** Documentation code with the reader's own test key, if known: masked on the page, readable on the clipboard. */
export function SampleWindow({ title, code, action }: Omit<RenderedCode, 'kind'> & { readonly action?: ReactNode }) {
  const key = useReaderKey();
  if (key === undefined) return <CodeWindow title={title} code={code} action={action} />;
  return (
    <CodeWindow title={title} code={withKey(code, key)} action={action}>
      <CodeText code={withKey(code, maskedKey(key))} />
    </CodeWindow>
  );
}
