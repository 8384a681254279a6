import { Outlet, useLoaderData } from 'react-router';
import { docsMenu } from '../../content/docs/menu.js';
import styles from './docs-layout.module.css';
import { DocsMenu } from './docs-menu.js';

/** Runs at build: the titles in the menu are those of the pages. */
export function loader() {
  return docsMenu;
}

/** The menu of the documentation beside its pages. */
export default function DocsLayout() {
  const menu = useLoaderData<typeof loader>();
  return (
    <div className={styles.columns}>
      <DocsMenu items={menu} />
      <Outlet />
    </div>
  );
}
