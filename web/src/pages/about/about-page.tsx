import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('About', 'Who makes Pennytext, and what comes next.');

export default function AboutPage() {
  return <PageFrame title="About" />;
}
