import { useId, useState } from 'react';
import { IconDeviceDesktop, IconLogout, IconMenu2, IconMoon, IconSun } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { logOut } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { COLOR_SCHEME_KEY, rememberSignedIn } from '../../browser-storage.js';
import { paths } from '../../paths.js';
import { Drawer } from '../../ui/dialog.js';
import { Mark } from '../../ui/icons.js';
import { showToast } from '../../ui/toast.js';
import styles from './dashboard-menu.module.css';
import { viewAt, views } from './views.js';

/** The dashboard's menu: a sidebar, or a drawer on narrow screens. */
export function DashboardMenu() {
  return (
    <aside className={styles.menu} aria-label="Menu">
      <div className={styles.top}>
        <Link className={styles.home} to={paths.home}>
          <Mark size={32} />
          Pennytext
        </Link>
        <PhoneMenu />
      </div>
      <div className={styles.side}>
        <MenuLinks />
      </div>
    </aside>
  );
}

/** Links to the views, logout and color scheme. `onChoose` is called when a view is chosen. */
function MenuLinks({ onChoose }: { onChoose?: () => void }) {
  const { pathname } = useLocation();
  const leave = useMutation({
    mutationFn: logOut,
    // A full load, because the server decides what signed-out users see.
    onSuccess: () => {
      rememberSignedIn(false);
      window.location.assign(paths.home);
    },
    onError: (error) => showToast(failureOf(error).message),
  });
  return (
    <>
      <nav className={styles.links} aria-label="Dashboard">
        {views.map(([title, to, Icon]) => (
          <Link
            key={to}
            to={to}
            className={styles.link}
            aria-current={viewAt(pathname) === to ? 'page' : undefined}
            onClick={onChoose}
          >
            <Icon size={20} aria-hidden="true" />
            {title}
          </Link>
        ))}
        <button type="button" className={styles.link} disabled={leave.isPending} onClick={() => leave.mutate()}>
          <IconLogout size={20} aria-hidden="true" />
          Logout
        </button>
      </nav>
      <div className={styles.colours}>
        <ColorSchemeSwitch />
      </div>
    </>
  );
}

const WIDE = '(min-width: 901px)';

/** The menu of narrow screens: a button that opens a drawer. */
function PhoneMenu() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div className={styles.drawerMenu}>
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
    </div>
  );
}

const schemes = [
  ['system', 'System', IconDeviceDesktop],
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
] as const;

/** Chooses light, dark, or the system's color scheme. */
function ColorSchemeSwitch() {
  const [chosen, setChosen] = useState(currentColorScheme);
  const name = useId();
  return (
    <fieldset className={styles.switch}>
      <legend className="visually-hidden">Color scheme</legend>
      {schemes.map(([scheme, title, Icon]) => (
        <label key={scheme} className={styles.choice} title={title}>
          <input
            type="radio"
            name={name}
            checked={chosen === scheme}
            onChange={() => {
              setChosen(scheme);
              chooseColorScheme(scheme);
            }}
          />
          <Icon size={18} aria-hidden="true" />
          <span className="visually-hidden">{title}</span>
        </label>
      ))}
    </fieldset>
  );
}

type ColorScheme = 'system' | 'light' | 'dark';

/** The color scheme of this page. */
function currentColorScheme(): ColorScheme {
  const { scheme } = document.documentElement.dataset;
  return scheme === 'light' || scheme === 'dark' ? scheme : 'system';
}

/** Applies the scheme to this page and, if the browser allows storage, to later ones. */
function chooseColorScheme(scheme: ColorScheme): void {
  if (scheme === 'system') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
  try {
    if (scheme === 'system') localStorage.removeItem(COLOR_SCHEME_KEY);
    else localStorage.setItem(COLOR_SCHEME_KEY, scheme);
  } catch {
    showToast('Your browser does not remember this choice for other pages.');
  }
}
