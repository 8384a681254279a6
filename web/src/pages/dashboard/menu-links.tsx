import { IconLogout } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { logOut } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { paths } from '../../paths.js';
import { rememberSignedIn } from '../../signed-in-hint.js';
import { showToast } from '../../ui/toast.js';
import { ColorSchemeSwitch } from '../../dashboard/ui/color-scheme-switch.js';
import styles from './menu-links.module.css';
import { viewAt, views } from './views.js';

/** The views, the way out, and the colours. `onChoose` hears of a chosen view. */
export function MenuLinks({ onChoose }: { onChoose?: () => void }) {
  const { pathname } = useLocation();
  const leave = useMutation({
    mutationFn: logOut,
    // The server decides anew what the pages show.
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
