import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { MenuGroup, MenuItem } from '../../content/docs/menu.js';
import { anchorOf } from '../../content/page.js';
import { usePageData, useSearchOnDemand } from '../../loading.js';
import type { DocsData } from '../../page-data.server.js';
import { PageMeta } from '../../page-meta.js';
import { IconChevronRight, IconSearch } from '../../ui/line-icons.js';
import { showToast } from '../../ui/toast.js';
import { PageContent } from '../site/page-content.js';
import styles from './docs.module.css';

/** Height of a faded edge: docs.module.css. */
const FADE_PX = 40;

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

/** The menu: beside the text on wide screens, collapsed above the text on narrow screens. */
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
      <MenuColumn path={path}>
        <Groups groups={groups} />
      </MenuColumn>
    </nav>
  );
}

/**
 * The menu beside the text scrolls by itself: the current entry is in view, and an edge with more
 * entries beyond it fades.
 */
function MenuColumn({ path, children }: { path: string; children: ReactNode }) {
  const column = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState({ above: false, below: false });
  const look = useEffectEvent(() => {
    if (!column.current) return;
    const { scrollTop, scrollHeight, clientHeight } = column.current;
    // Positions in zoomed pages have fractions of a pixel.
    setMore({ above: scrollTop > 1, below: scrollTop + clientHeight < scrollHeight - 1 });
  });
  useEffect(() => {
    const observer = new ResizeObserver(look);
    for (const element of column.current ? [column.current, ...column.current.children] : []) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const current = column.current?.querySelector(`a[aria-current=page][href='${path}']`);
    if (column.current && current) showIn(column.current, current);
    look();
  }, [path]);
  return (
    <div ref={column} className={styles.column} data-above={more.above} data-below={more.below} onScroll={look}>
      {children}
    </div>
  );
}

/** Scrolls an element to the middle of its column unless it is in view; the page stays put. */
function showIn(column: Element, element: Element): void {
  const { top, bottom, height } = element.getBoundingClientRect();
  const frame = column.getBoundingClientRect();
  if (top >= frame.top + FADE_PX && bottom <= frame.bottom - FADE_PX) return;
  column.scrollTop += top - frame.top - (frame.height - height) / 2;
}

const loadSearch = async () => (await import('./docs-search.js')).DocsSearch;

/** Button that loads and opens the search, as the key `/` does outside of fields. */
function Search() {
  const {
    Popup: DocsSearch,
    open,
    close,
    ...field
  } = useSearchOnDemand(loadSearch, () =>
    showToast('The search could not be loaded. Check your connection and try again.'),
  );
  const button = useRef<HTMLButtonElement>(null);
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
      <button ref={button} type="button" className={styles.search} aria-keyshortcuts="/" onClick={open}>
        <IconSearch size={16} aria-hidden="true" />
        Search the docs
        <kbd aria-hidden="true">/</kbd>
      </button>
      {DocsSearch && <DocsSearch {...field} opener={button} onClose={close} />}
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
