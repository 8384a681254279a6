import { NavLink, useLocation } from 'react-router';
import type { MenuItem } from '../../content/docs/menu.js';
import styles from './docs-menu.module.css';

/** Beside the text on wide screens, to be opened above it on narrow ones. */
export function DocsMenu({ items }: { items: readonly MenuItem[] }) {
  const { pathname } = useLocation();
  return (
    <nav className={styles.menu} aria-label="Documentation">
      {/* Another page, another element: so it is closed again. */}
      <details key={pathname} className={styles.drawer}>
        <summary>Documentation menu</summary>
        <Items items={items} />
      </details>
      <div className={styles.column}>
        <Items items={items} />
      </div>
    </nav>
  );
}

function Items({ items }: { items: readonly MenuItem[] }) {
  const { pathname } = useLocation();
  return (
    <ul>
      {items.map((item) => (
        <li key={item.title}>
          {item.items ? (
            <details open={item.items.some(({ path }) => path === pathname)}>
              <summary>{item.title}</summary>
              <Items items={item.items} />
            </details>
          ) : (
            <NavLink to={item.path} end>
              {item.title}
            </NavLink>
          )}
        </li>
      ))}
    </ul>
  );
}
