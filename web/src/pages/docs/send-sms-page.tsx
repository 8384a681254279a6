import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Send an SMS', 'Code samples.');

export default function SendSmsPage() {
  return <PageFrame title="Send an SMS" />;
}
