import type { ShownPage } from '../content/shown-page.js';
import { PageFrame } from '../ui/page-frame.js';
import { PageWords } from './page-words.js';

/** A page that is words and nothing else. */
export function WordsPage({ page }: { page: ShownPage }) {
  return (
    <PageFrame title={page.title}>
      <PageWords page={page} />
    </PageFrame>
  );
}
