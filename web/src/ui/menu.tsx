import { Menu as Base } from '@base-ui/react/menu';
import styles from './menu.module.css';
import { IconDots } from './line-icons.js';

interface MenuItem {
  readonly title: string;
  readonly onChoose: () => void;
  /** The action removes something permanently. */
  readonly isDanger?: boolean;
}

interface MenuProps {
  /** Accessible name of the button. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** A button that opens a list of actions. */
export function Menu({ label, items }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger className={styles.trigger} aria-label={label}>
        <IconDots size={20} aria-hidden="true" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={styles.place} sideOffset={4} align="end">
          <Base.Popup className={styles.menu}>
            {items.map(({ title, onChoose, isDanger }) => (
              <Base.Item key={title} className={styles.item} data-danger={isDanger} onClick={onChoose}>
                {title}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
