import { Link } from 'react-router';
import { paths } from '../../paths.js';
import { Mark } from '../../ui/mark.js';
import styles from './dashboard-menu.module.css';
import { MenuLinks } from './menu-links.js';
import { PhoneMenu } from './phone-menu.js';

/** The views of the dashboard, and the way out: at the side, or behind a button where there is no room for that. */
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
