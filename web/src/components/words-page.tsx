import type { ShownPage } from '../content/shown-page.js';
import { PageFrame } from '../ui/page-frame.js';
import { PageWords } from './page-words.js';
import styles from './words-page.module.css';

/** A page that is words and nothing else. */
export function WordsPage({ page }: { page: ShownPage }) {
  return (
    <PageFrame title={page.title}>
      <div className={styles.words}>
        <PageWords page={page} />
      </div>
    </PageFrame>
  );
}
