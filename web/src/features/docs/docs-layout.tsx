import { IconChevronRight } from '@tabler/icons-react';
import { Link, Outlet, useLoaderData, useLocation } from 'react-router';
import { docsMenu, type MenuItem } from '../../content/docs/menu.js';
import styles from './docs.module.css';

/** Runs at build time: menu titles come from the pages. */
export function loader() {
  return docsMenu;
}

/** The documentation: its menu beside the current page. */
export default function DocsLayout() {
  const menu = useLoaderData<typeof loader>();
  return (
    <div className={styles.columns}>
      <DocsMenu items={menu} />
      <Outlet />
    </div>
  );
}

/** The menu: beside the text on wide screens, collapsed above it on narrow ones. */
function DocsMenu({ items }: { items: readonly MenuItem[] }) {
  const path = useCurrentPath();
  return (
    <nav className={styles.menu} aria-label="Documentation">
      {/* A new element per page, so that it starts closed. */}
      <details key={path} className={styles.drawer}>
        <summary>
          Documentation menu
          <IconChevronRight size={16} aria-hidden="true" />
        </summary>
        <Items items={items} />
      </details>
      <div className={styles.column}>
        <Items items={items} />
      </div>
    </nav>
  );
}

function Items({ items }: { items: readonly MenuItem[] }) {
  const current = useCurrentPath();
  return (
    <ul>
      {items.map((item) => (
        <li key={item.title}>
          {item.items ? (
            <details open={item.items.some(({ path }) => path === current)}>
              <summary>
                {item.title}
                <IconChevronRight size={16} aria-hidden="true" />
              </summary>
              <Items items={item.items} />
            </details>
          ) : (
            <Link to={item.path} aria-current={item.path === current ? 'page' : undefined}>
              {item.title}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Addresses end with a slash at build time, but not in the browser. */
function useCurrentPath(): string {
  return useLocation().pathname.replace(/\/$/, '');
}
