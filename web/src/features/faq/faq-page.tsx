import { useLoaderData } from 'react-router';
import { questions } from '../../content/faq.js';
import { pageMeta } from '../../site.js';
import { PageFrame } from '../../ui/page-frame.js';
import { RichText } from '../../ui/rich-text.js';
import styles from './faq-page.module.css';

/** Runs at build time. */
export const loader = () => questions;

export const meta = pageMeta(
  'Questions and answers',
  'What Pennytext is, what messages cost, which countries they reach, how replies and one-time passwords work.',
);

/** One answer is open at a time: the browser enforces it for elements that share a name. */
export default function FaqPage() {
  return (
    <PageFrame title="Questions and answers" lead="Short answers. The documentation has the long ones.">
      <div className={styles.questions}>
        {useLoaderData<typeof loader>().map(({ question, answer }) => (
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
