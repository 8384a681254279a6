import { Outlet } from 'react-router';
import { useFocusOnArrival } from '../ui/use-focus-on-arrival.js';
import { Footer } from './footer.js';
import { Header } from './header.js';
import styles from './page-shell.module.css';

/** What all public pages share. */
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
