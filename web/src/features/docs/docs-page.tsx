import { useEffect, useEffectEvent } from 'react';
import { Link, useLocation } from 'react-router';
import type { MenuGroup, MenuItem } from '../../content/docs/menu.js';
import { anchorOf } from '../../content/page.js';
import { usePageData, usePopupOnDemand } from '../../loading.js';
import type { DocsData } from '../../page-data.server.js';
import { PageMeta } from '../../page-meta.js';
import { IconChevronRight, IconSearch } from '../../ui/line-icons.js';
import { showToast } from '../../ui/toast.js';
import { PageContent } from '../site/page-content.js';
import styles from './docs.module.css';

/** One page of the documentation: its menu beside it, and its headings on wide screens. */
export default function DocsPage() {
  const { menu, page, previous, next } = usePageData<DocsData>();
  return (
    <div className={styles.columns}>
      <PageMeta {...page} />
      <DocsMenu groups={menu} />
      <article className={styles.text}>
        <h1>{page.title}</h1>
        <PageContent page={page} />
        <nav className={styles.turn} aria-label="Previous and next page">
          {previous && (
            <Link to={previous.path} rel="prev">
              <span>Previous</span> {previous.title}
            </Link>
          )}
          {next && (
            <Link to={next.path} rel="next">
              <span>Next</span> {next.title}
            </Link>
          )}
        </nav>
      </article>
      <nav className={styles.headings} aria-labelledby="on-this-page">
        <p id="on-this-page">On this page</p>
        <ul>
          {page.sections.map(({ title }) => (
            <li key={title}>
              <a href={`#${anchorOf(title)}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
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

const loadSearch = async () => (await import('./docs-search.js')).DocsSearch;

/** Opens the search, which is loaded then; so does the key `/` outside of fields. */
function Search() {
  const {
    Popup: DocsSearch,
    open,
    close,
  } = usePopupOnDemand(loadSearch, () =>
    showToast('The search could not be loaded. Check your connection and try again.'),
  );
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input:not([type=radio]), textarea, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    open();
  });
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" className={styles.search} aria-keyshortcuts="/" onClick={open}>
        <IconSearch size={16} aria-hidden="true" />
        Search the docs
        <kbd aria-hidden="true">/</kbd>
      </button>
      {DocsSearch && <DocsSearch onClose={close} />}
    </>
  );
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
