import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = pageMeta('Login', 'Sign in to Pennytext.');

export default function LoginPage() {
  return <PageFrame title="Login" />;
}
