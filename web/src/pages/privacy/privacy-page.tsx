import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Privacy Policy', 'What Pennytext stores, why and for how long.');

export default function PrivacyPage() {
  return <PageFrame title="Privacy Policy" />;
}
