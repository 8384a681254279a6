import { CopyButton } from '../../ui/button.js';
import styles from './numbers.module.css';

interface IdProps {
  readonly id: string;
  /** Name of the id's owner. */
  readonly of: string;
}

/** The id of a number or a pool, with a button that copies it. */
export function Id({ id, of }: IdProps) {
  return (
    <span className={styles.id}>
      <code>{id}</code>
      <CopyButton look="plain" title="" text={id} label={`Copy the id of ${of}`} done="Id copied to clipboard!" />
    </span>
  );
}
