import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('OTP Verification', 'Send and verify one-time passwords.');

export default function OtpPage() {
  return <PageFrame title="OTP Verification" />;
}
