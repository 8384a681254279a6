import { useState } from 'react';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { Link, NavLink } from 'react-router';
import { paths } from '../paths.js';
import { Mark } from '../ui/mark.js';
import styles from './header.module.css';

const links = [
  ['OTP', paths.otp],
  ['Pricing', paths.pricing],
  ['Docs', paths.docs],
  ['FAQ', paths.faq],
  ['About', paths.about],
  ['Login', paths.login],
] as const;

const MENU = 'site-menu';

/**
 * The bar at the top of every public page. On narrow screens its links are a popover, which browsers open and close without
 * JavaScript; on wide ones they stand in the bar.
 */
export function Header() {
  const [isOpen, setOpen] = useState(false);
  const Icon = isOpen ? IconX : IconMenu2;
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link className={styles.home} to={paths.home}>
          <Mark size={32} />
          Pennytext
        </Link>
        <button
          type="button"
          className={styles.toggle}
          popoverTarget={MENU}
          aria-expanded={isOpen}
          aria-controls={MENU}
          aria-label="Menu"
        >
          <Icon size={24} aria-hidden="true" />
        </button>
        <nav
          id={MENU}
          className={styles.menu}
          aria-label="Main"
          popover="auto"
          onToggle={({ newState }) => setOpen(newState === 'open')}
        >
          {links.map(([title, to]) => (
            <NavLink key={to} to={to} className={() => styles.link} onClick={closeMenu}>
              {title}
            </NavLink>
          ))}
        </nav>
      </div>
    </header>
  );
}

function closeMenu(): void {
  document.getElementById(MENU)?.hidePopover();
}
