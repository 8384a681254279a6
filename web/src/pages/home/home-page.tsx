import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Send and Receive SMS with our simple API', 'One HTTP POST.');

export default function HomePage() {
  return <PageFrame title="Send and Receive SMS with our simple API" />;
}
