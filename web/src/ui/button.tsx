import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import styles from './button.module.css';
import { showToast } from './toast.js';
import { IconCopy } from './line-icons.js';

interface Look {
  /** `primary` is the main action of a screen; `danger` takes something away for good. */
  readonly look?: 'primary' | 'danger' | 'plain';
  /** Fills the available width. */
  readonly wide?: boolean;
}

export function Button({ look = 'plain', wide = false, ...rest }: Look & Omit<ComponentProps<'button'>, 'className'>) {
  return <button type="button" {...rest} className={classOf(look, wide)} />;
}

/**
 * A link that looks like a button. Use `reloadDocument` for addresses that the router does not
 * know.
 */
export function ButtonLink({
  look = 'plain',
  wide = false,
  ...rest
}: Look & Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...rest} className={classOf(look, wide)} />;
}

function classOf(look: 'primary' | 'danger' | 'plain', isWide: boolean): string {
  return `${styles.button} ${look === 'plain' ? '' : styles[look]} ${isWide ? styles.wide : ''}`.trim();
}

interface CopyButtonProps {
  readonly text: string;
  /** Announced after copying. */
  readonly done: string;
  /** Accessible name of the button. */
  readonly label: string;
  /** `code` suits the dark code window, `plain` everything else. */
  readonly look?: 'code' | 'plain';
}

/** Copies a text and confirms it in a toast. */
export function CopyButton({ text, done, label, look = 'code' }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast(done);
    } catch {
      // Browsers block copying without HTTPS or permission.
      showToast('Your browser does not allow copying here. Select the text instead.');
    }
  };
  return (
    <button type="button" className={`${styles.copy} ${styles[look]}`} aria-label={label} onClick={() => void copy()}>
      <IconCopy size={18} aria-hidden="true" />
      Copy
    </button>
  );
}
