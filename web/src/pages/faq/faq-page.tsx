import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Questions and answers', 'What people ask about Pennytext.');

export default function FaqPage() {
  return <PageFrame title="Questions and answers" />;
}
