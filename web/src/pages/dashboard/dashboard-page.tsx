import { hiddenPageMeta } from '../../page-meta.js';

export const meta = hiddenPageMeta('Dashboard');

/** Shown until it is known who is signed in. */
export default function DashboardPage() {
  return <p role="status">Loading...</p>;
}
