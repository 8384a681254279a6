import { usePageData } from '../../loading.js';
import type { FaqData } from '../../page-data.server.js';
import { PageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';
import { RichText } from '../../ui/rich-text.js';
import styles from './faq-page.module.css';

/** One answer is open at a time: the browser enforces it for elements that share a name. */
export default function FaqPage() {
  return (
    <PageFrame title="Questions and answers" lead="Short answers. The documentation has the long ones.">
      <PageMeta
        title="Questions and answers"
        description={
          'What Pennytext is, what messages cost, which countries they reach, how replies and one-time ' +
          'passwords work.'
        }
      />
      <div className={styles.questions}>
        {usePageData<FaqData>().map(({ question, answer }) => (
          <details key={question} name="faq">
            <summary>
              <h2>{question}</h2>
            </summary>
            {answer.map((paragraph) => (
              <p key={paragraph}>
                <RichText text={paragraph} />
              </p>
            ))}
          </details>
        ))}
      </div>
    </PageFrame>
  );
}
