import { Link, useLocation } from 'react-router';
import { IconChevronRight } from '@tabler/icons-react';
import type { MenuItem } from '../../content/docs/menu.js';
import styles from './docs-menu.module.css';

/** Beside the text on wide screens, to be opened above it on narrow ones. */
export function DocsMenu({ items }: { items: readonly MenuItem[] }) {
  const path = useCurrentPath();
  return (
    <nav className={styles.menu} aria-label="Documentation">
      {/* Another page, another element: so it is closed again. */}
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

/** While pages are built their addresses end with a slash, in the browser they do not. */
function useCurrentPath(): string {
  return useLocation().pathname.replace(/\/$/, '');
}
