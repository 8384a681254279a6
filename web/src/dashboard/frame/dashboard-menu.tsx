import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { logOut } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { rememberSignedIn } from '../../browser-storage.js';
import { useSearchOnDemand } from '../../loading.js';
import { paths } from '../../paths.js';
import { Drawer } from '../../ui/dialog.js';
import { useHydrated } from '../../ui/hooks.js';
import { showToast } from '../../ui/toast.js';
import { ColorSchemeSwitch } from '../../features/site/color-scheme.js';
import styles from './dashboard-menu.module.css';
import { type MenuCount, useMenuCounts } from './menu-counts.js';
import { menu, viewAt } from './views.js';
import { IconLogout } from './icons.js';
import { Mark } from '../../ui/icons.js';
import { NotificationDot } from '../notifications/notification-dot.js';
import { IconMenu2, IconSearch } from '../../ui/line-icons.js';

/** The dashboard's menu: a sidebar, or a drawer on narrow screens. */
export function DashboardMenu() {
  const {
    Popup: CommandPalette,
    open,
    close,
    ...field
  } = useSearchOnDemand(loadPalette, () =>
    showToast('The search could not be loaded. Check your connection and try again.'),
  );
  const leave = useLogOut();
  const isHydrated = useHydrated();
  usePaletteShortcut(CommandPalette ? close : open, CommandPalette !== undefined);
  return (
    // The built page has the menu already; its buttons work once the script runs.
    <aside className={styles.menu} aria-label="Menu" inert={!isHydrated}>
      <div className={styles.top}>
        <Link className={styles.home} to={paths.home}>
          <Mark size={32} />
          Pennytext
        </Link>
        <div className={styles.drawerMenu}>
          <button type="button" className={styles.button} aria-haspopup="dialog" aria-label="Search" onClick={open}>
            <IconSearch size={22} aria-hidden="true" />
          </button>
          <PhoneMenu />
        </div>
      </div>
      <div className={styles.side}>
        <button
          type="button"
          className={styles.search}
          aria-haspopup="dialog"
          aria-keyshortcuts="Meta+K Control+K"
          onClick={open}
        >
          <IconSearch size={18} aria-hidden="true" />
          Search
          <kbd aria-hidden="true">{isHydrated && isApple() ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <MenuLinks />
      </div>
      {CommandPalette && <CommandPalette {...field} onClose={close} onLogOut={() => leave.mutate()} />}
    </aside>
  );
}

const loadPalette = async () => (await import('./command-palette.js')).CommandPalette;

const isApple = () => /mac|iphone|ipad/i.test(navigator.userAgent);

/** ⌘K or Ctrl+K opens and closes the palette; while another popup is open, it has no effect. */
function usePaletteShortcut(toggle: () => void, isOpen: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    if (isOpen || !document.querySelector('[role=dialog], [role=alertdialog]')) toggle();
  });
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

function useLogOut() {
  return useMutation({
    mutationFn: logOut,
    // A full load, because the server decides what signed-out users see.
    onSuccess: () => {
      rememberSignedIn(false);
      window.location.assign(paths.home);
    },
    onError: (error) => showToast(failureOf(error).message),
  });
}

/** Links to the views, logout and color scheme. `onChoose` is called when a view is chosen. */
function MenuLinks({ onChoose }: { onChoose?: () => void }) {
  const { pathname } = useLocation();
  const leave = useLogOut();
  const counts = useMenuCounts();
  const id = useId();
  return (
    <>
      <nav className={styles.links} aria-label="Dashboard">
        {menu.map(({ title: group, views }, place) => (
          <div key={group} className={styles.group} role="group" aria-label={group}>
            {place > 0 && (
              <p className={styles.groupTitle} aria-hidden="true">
                {group}
              </p>
            )}
            {views.map(([title, to, Icon]) => (
              <Link
                key={to}
                to={to}
                className={styles.link}
                aria-current={viewAt(pathname) === to ? 'page' : undefined}
                aria-describedby={`${id}${to} ${id}${to}!`}
                onClick={onChoose}
              >
                <Icon size={20} aria-hidden="true" />
                {title}
                {counts[to] && <Count id={`${id}${to}`} {...counts[to]} />}
                <NotificationDot id={`${id}${to}!`} to={to} />
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className={styles.pinned}>
        <button type="button" className={styles.link} disabled={leave.isPending} onClick={() => leave.mutate()}>
          <IconLogout size={20} aria-hidden="true" />
          Logout
        </button>
        <ColorSchemeSwitch />
      </div>
    </>
  );
}

/** A count that describes the entry; the entry's name stays the view's. */
function Count({ id, count, what }: MenuCount & { id: string }) {
  return (
    <span id={id} className={styles.count} aria-hidden="true">
      {count} <span className="visually-hidden">{what}</span>
    </span>
  );
}

const WIDE = '(min-width: 901px)';

/** The menu of narrow screens: a button that opens a drawer. */
function PhoneMenu() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
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
      {isOpen && (
        <Drawer title="Menu" closeAt={WIDE} onClose={close}>
          <MenuLinks onChoose={close} />
        </Drawer>
      )}
    </>
  );
}
