import { type ComponentType, useEffect, useState } from 'react';
import { Link, Outlet, useLoaderData, useLocation } from 'react-router';
import { docsMenu, type MenuGroup, type MenuItem } from '../../content/docs/menu.js';
import { showToast } from '../../ui/toast.js';
import styles from './docs.module.css';
import { IconChevronRight, IconSearch } from '../../ui/line-icons.js';

/** Runs at build time: menu titles come from the pages. */
export function loader() {
  return docsMenu;
}

/** The documentation: its menu beside the current page. */
export default function DocsLayout() {
  const menu = useLoaderData<typeof loader>();
  return (
    <div className={styles.columns}>
      <DocsMenu groups={menu} />
      <Outlet />
    </div>
  );
}

/** The menu: beside the text on wide screens, collapsed above it on narrow ones. */
function DocsMenu({ groups }: { groups: readonly MenuGroup[] }) {
  const path = useCurrentPath();
  return (
    <nav className={styles.menu} aria-label="Documentation">
      <Search />
      {/* A new element per page, so that it starts closed. */}
      <details key={path} className={styles.drawer}>
        <summary>
          Documentation menu
          <IconChevronRight size={16} aria-hidden="true" />
        </summary>
        <Groups groups={groups} />
      </details>
      <div className={styles.column}>
        <Groups groups={groups} />
      </div>
    </nav>
  );
}

/** Opens the search, which is loaded then; so does the key `/` outside of fields. */
function Search() {
  const [Dialog, setDialog] = useState<SearchDialog>();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input:not([type=radio]), textarea, select');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      void loadSearch().then((loaded) => setDialog(() => loaded));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.search}
        aria-keyshortcuts="/"
        onClick={() => void loadSearch().then((loaded) => setDialog(() => loaded))}
      >
        <IconSearch size={16} aria-hidden="true" />
        Search the docs
        <kbd aria-hidden="true">/</kbd>
      </button>
      {Dialog && <Dialog onClose={() => setDialog(undefined)} />}
    </>
  );
}

type SearchDialog = ComponentType<{ onClose: () => void }>;

async function loadSearch(): Promise<SearchDialog | undefined> {
  try {
    return (await import('./docs-search.js')).DocsSearch;
  } catch {
    showToast('The search could not be loaded. Check your connection and try again.');
    return undefined;
  }
}

function Groups({ groups }: { groups: readonly MenuGroup[] }) {
  return groups.map(({ title, items }) => (
    <section key={title}>
      <p className={styles.group}>{title}</p>
      <Items items={items} />
    </section>
  ));
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
