import { useEffect, useRef, useState } from 'react';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { MenuLinks } from './menu-links.js';
import styles from './phone-menu.module.css';

const WIDE = '(min-width: 901px)';

/** The menu of narrow screens: a drawer behind a button. */
export function PhoneMenu() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.menu}>
      <button
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label="Menu"
        onClick={() => setOpen(true)}
      >
        <IconMenu2 size={24} aria-hidden="true" />
      </button>
      {isOpen && <Drawer onClose={() => setOpen(false)} />}
    </div>
  );
}

/** The browser's own dialog keeps the focus inside, closes on Escape and on a click beside it, and gives the focus back. */
function Drawer({ onClose }: { onClose: () => void }) {
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = drawer.current;
    element?.showModal();
    const wide = window.matchMedia(WIDE);
    // Where the menu stands at the side, a second one would be in its way.
    const close = () => element?.close();
    wide.addEventListener('change', close);
    return () => {
      wide.removeEventListener('change', close);
      close();
    };
  }, []);
  const close = () => drawer.current?.close();
  return (
    <dialog ref={drawer} className={styles.drawer} aria-label="Menu" onClose={onClose} closedby="any">
      <div className={styles.inside}>
        <button type="button" className={styles.button} aria-label="Close menu" onClick={close}>
          <IconX size={24} aria-hidden="true" />
        </button>
        <MenuLinks onChoose={close} />
      </div>
    </dialog>
  );
}
