import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './tabs.module.css';

interface TabsProps<Name extends string> {
  /** Accessible name of the tab list. */
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly title: ReactNode }[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** Content of the chosen tab. */
  readonly children: ReactNode;
}

/** Tabs for mouse, arrow keys, Home and End (WAI-ARIA Authoring Practices, tabs with automatic activation). */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const turn = (event: KeyboardEvent) => {
    const place = placeAfter(
      event.key,
      tabs.findIndex(({ name }) => name === chosen),
      tabs.length,
    );
    const next = place === undefined ? undefined : tabs[place];
    if (!next) return;
    event.preventDefault();
    onChoose(next.name);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(next)]?.focus();
  };
  return (
    <div className={styles.tabs}>
      <div ref={list} className={styles.list} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={turn}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            className={styles.tab}
            aria-selected={name === chosen}
            aria-controls={name === chosen ? `${id}-panel` : undefined}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} className={styles.panel} role="tabpanel" aria-labelledby={`${id}-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </div>
  );
}

/** The index a key leads to; undefined for other keys. */
function placeAfter(key: string, place: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (place + 1) % count;
  if (key === 'ArrowLeft') return (place - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
