import type { Broken } from './boundary.js';
import { Button } from './button.js';
import styles from './broken-part.module.css';

/** Replaces a part of a page that cannot be shown; the rest of the page stays. */
export function BrokenPart({ retry }: Broken) {
  return (
    <div role="alert" className={styles.part}>
      <p>Something went wrong on our side. Please try again.</p>
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}
