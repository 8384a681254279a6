import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Pricing', 'Credits in packs, from $3. No subscription.');

export default function PricingPage() {
  return <PageFrame title="Pricing" />;
}
