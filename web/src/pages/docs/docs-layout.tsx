import { Outlet } from 'react-router';

/** The menu of the documentation beside its pages. */
export default function DocsLayout() {
  return <Outlet />;
}
