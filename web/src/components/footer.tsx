import { Link } from 'react-router';
import { paths } from '../paths.js';
import { Mark } from '../ui/mark.js';
import styles from './footer.module.css';

const links = [
  ['Documentation', paths.docs],
  ['Supported Regions', paths.regions],
  ['Privacy Policy', paths.privacy],
  ['Terms of Service', paths.tos],
] as const;

/** The end of every public page. */
export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.row}>
        <p className={styles.name}>
          <Mark size={24} />
          Pennytext: text messages by the penny, for developers.
        </p>
        <nav className={styles.links} aria-label="Footer">
          {links.map(([title, to]) => (
            <Link key={to} to={to}>
              {title}
            </Link>
          ))}
        </nav>
      </div>
    </footer>
  );
}
