import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Terms of Service', 'The terms on which Pennytext is used.');

export default function TosPage() {
  return <PageFrame title="Terms of Service" />;
}
