import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Documentation', 'Send and receive SMS with one HTTP POST.');

export default function OverviewPage() {
  return <PageFrame title="Documentation" />;
}
