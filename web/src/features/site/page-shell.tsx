import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { rememberSignedIn, wasSignedIn } from '../../browser-storage.js';
import { paths } from '../../paths.js';
import type { Broken } from '../../ui/boundary.js';
import { brokenTexts, LoadFailure, reload, useReloadOnce } from '../../loading.js';
import { HiddenPageMeta } from '../../page-meta.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { useFocusOnArrival, useHydrated } from '../../ui/hooks.js';
import { PageFrame } from '../../ui/page-frame.js';
import { showToast } from '../../ui/toast.js';
import { ColorSchemeSwitch } from './color-scheme.js';
import styles from './page-shell.module.css';
import { Mark } from '../../ui/icons.js';
import { IconMenu2, IconX } from '../../ui/line-icons.js';

/** The frame of all public pages. */
export function PageShell() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}

/** Shown for unknown addresses; the server sends it with status 404. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  // The page is built once, for all addresses.
  const isHydrated = useHydrated();
  const isOfDashboard = isHydrated && pathname.startsWith(`${paths.dashboard}/`);
  return (
    <PageFrame title="Page not found." lead="The address may be mistyped, or the page has moved.">
      <HiddenPageMeta title="Page not found" />
      {isOfDashboard ? (
        // A full load: without a session the server asks for a sign-in first.
        <ButtonLink to={paths.dashboard} look="primary" reloadDocument>
          Go to the dashboard
        </ButtonLink>
      ) : (
        <ButtonLink to={paths.home} look="primary">
          Go to the start page
        </ButtonLink>
      )}
    </PageFrame>
  );
}

/** Replaces a page that cannot be loaded or shown; the menu stays. */
export function BrokenPage({ error, retry }: Broken) {
  const isNotLoaded = error instanceof LoadFailure;
  useReloadOnce(isNotLoaded);
  const tryAgain = async () => {
    if (!isNotLoaded) retry();
    else if (!(await reload())) showToast('Pennytext could not be reached. Check your connection and try again.');
  };
  return (
    <Shell>
      <HiddenPageMeta title="Page not loaded" />
      <PageFrame {...brokenTexts(error)}>
        <Button look="primary" onClick={() => void tryAgain()}>
          Try again
        </Button>
      </PageFrame>
    </Shell>
  );
}

function Shell({ children }: { children: ReactNode }) {
  const main = useFocusOnArrival();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" ref={main} className={styles.main} tabIndex={-1}>
        {children}
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
] as const;

const MENU = 'site-menu';

/**
 * The bar at the top of every public page. On narrow screens its links are a popover, which works
 * without JavaScript; on wide screens they are in the bar.
 */
function Header() {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLElement>(null);
  // The popover may have been opened before the script ran.
  useEffect(() => setOpen(menu.current?.matches(':popover-open') ?? false), []);
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
          ref={menu}
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
          <AccountLinks />
        </nav>
      </div>
    </header>
  );
}

/** Login, or the dashboard with the balance for visitors who are signed in. */
function AccountLinks() {
  const [balance, setBalance] = useState<number>();
  useEffect(() => {
    if (wasSignedIn()) void readBalance().then(setBalance);
  }, []);
  const className = `${styles.link} ${styles.account}`;
  return (
    <>
      <NavLink to={paths.login} className={() => className} data-when="signed-out" reloadDocument>
        Login
      </NavLink>
      <Link to={paths.dashboard} className={className} data-when="signed-in" onClick={closeMenu}>
        Dashboard
        <span className={styles.balance}>{balance !== undefined && credits(balance)}</span>
      </Link>
    </>
  );
}

/** The balance; undefined when it cannot be read, as the link works without. */
async function readBalance(): Promise<number | undefined> {
  try {
    const { readReaderBalance } = await import('../../api/visitor-calls.js');
    const { balance } = await readReaderBalance();
    if (balance === null) rememberSignedIn(false);
    return balance ?? undefined;
  } catch {
    return undefined;
  }
}

function closeMenu(): void {
  document.getElementById(MENU)?.hidePopover();
}

const footerLinks = [
  ['Documentation', paths.docs],
  ['Supported Regions', paths.regions],
  ['Delivery quality', paths.quality],
  ['Status', paths.status],
  ['Privacy Policy', paths.privacy],
  ['Terms of Service', paths.tos],
] as const;

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
            <Link key={to} to={to} data-when={to === paths.quality ? 'figures' : undefined}>
              {title}
            </Link>
          ))}
        </nav>
        <div className={styles.scheme}>
          <ColorSchemeSwitch />
        </div>
      </div>
    </footer>
  );
}
