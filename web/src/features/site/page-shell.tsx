import { useState } from 'react';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { Link, NavLink, Outlet } from 'react-router';
import { paths } from '../../paths.js';
import { useFocusOnArrival } from '../../ui/hooks.js';
import { Mark } from '../../ui/icons.js';
import styles from './page-shell.module.css';

/** The frame of all public pages. */
export default function PageShell() {
  const main = useFocusOnArrival();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" ref={main} className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </div>
  );
}

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
 * The bar at the top of every public page. On narrow screens its links are a popover, which works without JavaScript;
 * on wide screens they are in the bar.
 */
function Header() {
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

const footerLinks = [
  ['Documentation', paths.docs],
  ['Supported Regions', paths.regions],
  ['Privacy Policy', paths.privacy],
  ['Terms of Service', paths.tos],
] as const;

/** The footer of every public page. */
function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.row}>
        <p className={styles.name}>
          <Mark size={24} />
          Pennytext: text messages by the penny, for developers.
        </p>
        <nav className={styles.links} aria-label="Footer">
          {footerLinks.map(([title, to]) => (
            <Link key={to} to={to}>
              {title}
            </Link>
          ))}
        </nav>
      </div>
    </footer>
  );
}
