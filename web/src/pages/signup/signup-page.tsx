import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Sign Up', 'Open an account.');

export default function SignupPage() {
  return <PageFrame title="Sign Up" />;
}
