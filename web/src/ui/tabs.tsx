import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
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

/** Tabs that arrow keys choose at once. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Name>) {
  return (
    <Base.Root className={styles.tabs} value={chosen} onValueChange={(name: Name) => onChoose(name)}>
      <Base.List className={styles.list} aria-label={label} activateOnFocus>
        {tabs.map(({ name, title }) => (
          <Base.Tab key={name} value={name} className={styles.tab}>
            {title}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={chosen} className={styles.panel}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
