import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Supported Regions', 'Credits per message for every country.');

export default function RegionsPage() {
  return <PageFrame title="Supported Regions" />;
}
